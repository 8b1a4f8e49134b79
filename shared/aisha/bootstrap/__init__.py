"""The composition root: puts the adapters, the tools and the application together as the settings say.

`Services` has one attribute for each thing that functions share, made at its first use. What is heavy and not needed by
every function (the AWS SDK, a model provider's SDK, the tools) is imported inside the function that makes it: this package
is the only place for such imports.
"""

from aisha.bootstrap.services import Services, default_services

__all__ = ["Services", "default_services"]
