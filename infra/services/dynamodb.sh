#!/usr/bin/env bash
# Starts and stops AWS's DynamoDB Local on 127.0.0.1.
# usage: dynamodb.sh start [PORT] [DATA]      DATA: a folder, .local/dynamodb by default, or :memory:
#        dynamodb.sh stop [PORT]
# Needs Java 17 or newer and Maven (for one download from Maven Central, into .local/tools).
set -euo pipefail
cd "$(dirname "$0")/../.."
action=${1:-start}; port=${2:-8000}; data=${3:-.local/dynamodb}
version=2.6.1
home=$PWD/.local/tools/dynamodb-local-$version
name="DynamoDB Local"; run=.local/run; pid_file=$run/dynamodb-$port.pid; log=$run/dynamodb-$port.log
mkdir -p "$run"
. infra/services/service.sh

# An unsigned request is answered with 400 once the server listens.
answers() { [ "$(curl -s -o /dev/null -w '%{http_code}' --max-time 2 "http://127.0.0.1:$port/")" = 400 ]; }

need() {
  for tool in "$@"; do
    command -v "$tool" >/dev/null ||
      { echo "dynamodb.sh: $tool is missing; DynamoDB Local needs a JDK 17 or newer and Maven" >&2; exit 3; }
  done
}

install() {
  need java
  [ -f "$home/.installed" ] && return
  need javac mvn
  echo "fetching DynamoDB Local $version, once ..." >&2
  mkdir -p "$home/classes"
  cat > "$home/pom.xml" <<XML
<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>aisha.local</groupId><artifactId>dynamodb-local</artifactId><version>1</version><packaging>pom</packaging>
<dependencies><dependency>
<groupId>com.amazonaws</groupId><artifactId>DynamoDBLocal</artifactId><version>$version</version>
</dependency></dependencies></project>
XML
  mvn -B -q -f "$home/pom.xml" org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies \
    -DincludeScope=runtime -DoutputDirectory="$home/lib" >&2
  javac -cp "$home/lib/*" -d "$home/classes" infra/services/DynamoDBOnLoopback.java
  touch "$home/.installed"
}

start() {
  if is_started "$port"; then return; fi
  install
  if [ "$data" = :memory: ]; then storage=(-inMemory); else mkdir -p "$data"; storage=(-dbPath "$data"); fi
  launch 30 java -Xmx256m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 \
    -Djava.library.path="$home/lib" -DDDB_LOCAL_TELEMETRY=0 -cp "$home/classes:$home/lib/*" \
    DynamoDBOnLoopback -port "$port" -sharedDb -disableTelemetry "${storage[@]}"
  echo "DynamoDB Local on 127.0.0.1:$port, data in $data" >&2
}

case "$action" in
  start | stop) $action ;;
  *) echo "usage: dynamodb.sh start|stop [PORT] [DATA]" >&2; exit 2 ;;
esac
