"""Load everything that extends the product, and name the first mistake. usage: python -m infra.extensions"""

import sys

from aisha.bootstrap import Services
from aisha.bootstrap.extensions import check_extensions
from aisha.settings import read_settings
from infra.endpoints import check_endpoints


def main() -> int:
    try:
        check_extensions(Services(settings=read_settings({})))
        check_endpoints()
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
