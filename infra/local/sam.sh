#!/usr/bin/env bash
# The SAM CLI in an environment of its own, under .local/tools/sam (it pins what the project pins otherwise).
# usage: sam.sh ARGUMENT...           runs `sam ARGUMENT...` with Python 3.13 first on the PATH, which `sam build` needs
#        sam.sh --install             installs it only
#        sam.sh --emulator            prints the path of the Lambda runtime interface emulator that its wheel carries
set -euo pipefail
cd "$(dirname "$0")/../.."
version=1.170.0
home=.local/tools/sam
. infra/local/toolchain.sh
python=$(find_python "v == (3, 13)" python3.13)
[ -n "$python" ] || python=$("$(find_uv)" python find 3.13 2>/dev/null || true)
if [ -z "$python" ]; then
  echo "sam.sh: no Python 3.13 here (the functions' runtime); set PYTHON to one, or: uv python install 3.13" >&2
  exit 3
fi
if [ ! -f "$home/.installed-$version" ]; then
  echo "installing the SAM CLI $version into $home ..." >&2
  uv=$(find_uv)
  rm -rf "$home" && mkdir -p .local/tools
  "$uv" venv -q --python "$python" "$home"
  "$uv" pip install -q -p "$home/bin/python" "aws-sam-cli==$version"
  touch "$home/.installed-$version"
fi
case "${1:-}" in
  --install) exit 0 ;;
  --emulator)
    case "$(uname -m)" in arm64 | aarch64) name=arm64 ;; *) name=x86_64 ;; esac
    echo "$PWD"/$home/lib/python3.13/site-packages/samcli/local/rapid/aws-lambda-rie-$name
    exit 0 ;;
esac
# Only the interpreter goes ahead on the PATH: its folder may be a pyenv version whose pip SAM must find as well.
export PATH="$(dirname "$python"):$PATH" SAM_CLI_TELEMETRY=0 AWS_DEFAULT_REGION="${AWS_DEFAULT_REGION:-us-east-1}"
exec "$home/bin/sam" "$@"
