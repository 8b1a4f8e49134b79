#!/usr/bin/env bash
# Runs the built functions in containers, by `sam local`.
# usage: sam_local.sh prepare            builds, starts the services, loads the demo data, prints commands
#        sam_local.sh files              builds and writes the files only; needs no container
#        sam_local.sh invoke FUNCTION [EVENT]
#        sam_local.sh start-api [PORT]
#        sam_local.sh stop               removes the containers and their network
# Needs Docker, or Podman with DOCKER_HOST. Exits with 2 when no container engine answers.
set -euo pipefail
cd "$(dirname "$0")/../.."
folder=.local/sam-local; build=.local/build; network=aisha-local; port=${AISHA_SAM_DYNAMODB_PORT:-8001}
dynamodb_image=public.ecr.aws/aws-dynamodb-local/aws-dynamodb-local:2.6.1
python_image=public.ecr.aws/lambda/python:3.13
adapter_image=public.ecr.aws/awsguru/aws-lambda-adapter:1.0.0-rc1
usage() { sed -n '2,7p' "$0" | sed 's/^# //' >&2; exit 2; }

need_engine() {
  if ! command -v docker > /dev/null; then
    echo "sam_local.sh: no docker command here. Install Docker, or Podman with podman-docker." >&2
  elif ! docker info > /dev/null 2>&1; then
    echo "sam_local.sh: no engine answers the docker command (docker info says why). Start Docker, or with Podman:" >&2
  else
    return 0
  fi
  cat >&2 <<'TEXT'
  Linux:  systemctl --user start podman.socket
          export DOCKER_HOST=unix://${XDG_RUNTIME_DIR}/podman/podman.sock
  macOS:  podman machine start
          export DOCKER_HOST=unix://$(podman machine inspect --format "{{.ConnectionInfo.PodmanSocket.Path}}")
Without containers: `make run` serves the same functions, `make cold-start` runs the built ones under AWS's emulator.
TEXT
  exit 2
}

files() {
  infra/build/build.sh host "$build"
  case "$(uname -m)" in arm64 | aarch64) architecture=arm64 ;; *) architecture=x86_64 ;; esac
  mkdir -p "$folder/adapter/extensions"
  printf '#!/bin/sh\nexec -- "$LAMBDA_TASK_ROOT/$_HANDLER"\n' > "$folder/adapter/bootstrap"
  chmod +x "$folder/adapter/bootstrap"
  PYTHONPATH=shared:. .venv/bin/python -m infra.sam.sam_local write --build "$build" --folder "$folder" \
    --adapter "$folder/adapter" --architecture "$architecture"
}

# service NAME OPTION...: starts a container by `docker run OPTION...` unless it is running.
service() {
  local name=$1; shift
  [ "$(docker inspect -f '{{.State.Running}}' "$name" 2>/dev/null || true)" = true ] && return
  docker rm -f "$name" > /dev/null 2>&1 || true
  docker run -d --name "$name" --network "$network" "$@" > /dev/null
}

prepare() {
  need_engine
  infra/environment/setup.sh local
  files
  if [ ! -x "$folder/adapter/extensions/lambda-adapter" ]; then
    id=$(docker create "$adapter_image" none)
    docker cp "$id:/lambda-adapter" "$folder/adapter/extensions/lambda-adapter"
    docker rm "$id" > /dev/null
  fi
  docker network inspect "$network" > /dev/null 2>&1 || docker network create "$network" > /dev/null
  service aisha-dynamodb -p "127.0.0.1:$port:8000" "$dynamodb_image" -jar DynamoDBLocal.jar -inMemory -sharedDb
  service aisha-keys -v "$PWD/$folder/keys:/keys:ro" --entrypoint python3 "$python_image" \
    -m http.server 8000 --directory /keys
  for _ in $(seq 100); do curl -s -o /dev/null --max-time 2 "http://127.0.0.1:$port/" && break; sleep 0.2; done
  AWS_ACCESS_KEY_ID=local AWS_SECRET_ACCESS_KEY=local PYTHONPATH=shared:. .venv/bin/python -m infra.sam.sam_local seed \
    --endpoint "http://127.0.0.1:$port"
  cat <<TEXT
Ready. For example:
  infra/sam/sam_local.sh invoke CrmFunction                              # events/crm.json
  infra/sam/sam_local.sh invoke AuthorizerFunction $folder/authorizer.json
  infra/sam/sam_local.sh start-api 3001
These run sam with: --template $folder/template.yaml --env-vars $folder/env.json --docker-network $network
TEXT
}

# event_of FUNCTION: prints the event file named after a function: events/flow_chat.json for FlowChatFunction.
event_of() {
  local name file
  name=$(echo "${1%Function}" | tr '[:upper:]' '[:lower:]')
  for file in events/*.json; do
    [ "$(basename "$file" .json | tr -d _)" != "$name" ] || { echo "$file"; return; }
  done
  echo "sam_local.sh: events/ has no event for $1" >&2
  exit 2
}

sam_local() {
  need_engine
  [ -f "$folder/template.yaml" ] || { echo "sam_local.sh: first run infra/sam/sam_local.sh prepare" >&2; exit 2; }
  local command=$1; shift
  infra/sam/sam.sh local "$command" --template "$PWD/$folder/template.yaml" --env-vars "$PWD/$folder/env.json" \
    --docker-network "$network" --region us-east-1 "$@"
}

case "${1:-}" in
  prepare | files) "$1" ;;
  invoke)
    [ -n "${2:-}" ] || usage
    name=$2; shift 2
    # An event, unless there is none or what follows are options for sam.
    case "${1:-}" in '' | -*) event=$(event_of "$name") ;; *) event=$1; shift ;; esac
    sam_local invoke "$name" --event "$PWD/${event#"$PWD"/}" "$@" ;;
  start-api) sam_local start-api --host 127.0.0.1 --port "${2:-3001}" --warm-containers LAZY ;;
  stop)
    need_engine
    docker rm -f aisha-dynamodb aisha-keys > /dev/null 2>&1 || true
    docker network rm "$network" > /dev/null 2>&1 || true ;;
  *) usage ;;
esac
