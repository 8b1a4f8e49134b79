#!/usr/bin/env bash
# Runs the SAM CLI from its own environment, .local/tools/sam, which is installed from a lock with hashes.
# usage: sam.sh ARGUMENT...           runs `sam ARGUMENT...` with Python 3.13 first on the PATH, as `sam build` needs it
#        sam.sh --emulator            prints the path of the Lambda runtime interface emulator in SAM's package
set -euo pipefail
cd "$(dirname "$0")/../.."
home=$(infra/environment/tool_environment.sh sam)
python=$(infra/environment/tool_environment.sh --python)
if [ "${1:-}" = --emulator ]; then
  case "$(uname -m)" in arm64 | aarch64) name=arm64 ;; *) name=x86_64 ;; esac
  echo "$home"/lib/python3.13/site-packages/samcli/local/rapid/aws-lambda-rie-$name
  exit
fi
# The interpreter's whole folder goes first on the PATH: it may be a pyenv version whose pip SAM must find as well.
PATH="$(dirname "$python"):$PATH"
export PATH SAM_CLI_TELEMETRY=0 AWS_DEFAULT_REGION="${AWS_DEFAULT_REGION:-us-east-1}"
exec "$home/bin/sam" "$@"
