#!/usr/bin/env bash
# Starts and stops one OpenSearch node with k-NN and hybrid search on 127.0.0.1.
# usage: opensearch.sh start [PORT] [DATA]      DATA: a folder, .local/opensearch by default
#        opensearch.sh stop [PORT]
# Needs a JDK 21 or newer and Maven (for one download from Maven Central, into .local/tools).
# Every knn_vector field must have "engine": "lucene": this build has no native library for the others.
set -euo pipefail
cd "$(dirname "$0")/../.."
action=${1:-start}; port=${2:-9200}; data=${3:-.local/opensearch}
version=3.6.0
home=$PWD/.local/tools/opensearch-$version
name=OpenSearch; run=.local/run; pid_file=$run/opensearch-$port.pid; log=$run/opensearch-$port.log
mkdir -p "$run"
. infra/services/service.sh

answers() {
  curl -fsS --max-time 3 "http://127.0.0.1:$port/_cluster/health?wait_for_status=yellow&timeout=1s" >/dev/null 2>&1
}

find_java() {
  local candidate version
  for candidate in "${JAVA_HOME:-}" /usr/lib/jvm/* /Library/Java/JavaVirtualMachines/*/Contents/Home; do
    [ -x "$candidate/bin/java" ] || continue
    version=$("$candidate/bin/java" -XshowSettings:properties -version 2>&1 |
      awk -F'= ' '/java.specification.version/{print $2}')
    if [ "${version%%.*}" -ge 21 ] 2>/dev/null; then echo "$candidate"; return; fi
  done
  echo "opensearch.sh: no JDK 21 or newer found; set JAVA_HOME to one" >&2
  return 3
}

# fetch GROUP:ARTIFACT:VERSION:zip
fetch() {
  local plugin=org.apache.maven.plugins:maven-dependency-plugin:3.8.1
  mvn -B -q $plugin:get -Dartifact="$1" -Dtransitive=false >&2
  mvn -B -q $plugin:copy -Dartifact="$1" -DoutputDirectory="$home/zips" -Dmdep.useBaseVersion=true >&2
}

install() {
  [ -f "$home/.installed" ] && return
  command -v mvn >/dev/null ||
    { echo "opensearch.sh: mvn is missing; it fetches OpenSearch from Maven Central" >&2; exit 3; }
  echo "fetching OpenSearch $version, once ..." >&2
  mkdir -p "$home/zips"
  fetch "org.opensearch.distribution.integ-test-zip:opensearch:$version:zip"
  rm -rf "$home/node"
  (cd "$home" && python3 -m zipfile -e "zips/opensearch-$version.zip" . && mv "opensearch-$version" node)
  chmod +x "$home"/node/bin/*
  for plugin in opensearch-knn neural-search; do
    fetch "org.opensearch.plugin:$plugin:$version.0:zip"
    JAVA_HOME=$java OPENSEARCH_JAVA_HOME=$java "$home/node/bin/opensearch-plugin" install --batch \
      "file://$home/zips/$plugin-$version.0.zip" >&2
  done
  touch "$home/.installed"
}

configure() {
  mkdir -p "$data"
  data=$(cd "$data" && pwd)
  mkdir -p "$data/config" "$data/data" "$data/logs" "$data/tmp"
  cp -r "$home"/node/config/. "$data/config/"
  cat > "$data/config/opensearch.yml" <<YAML
cluster.name: aisha-local
network.host: 127.0.0.1
http.port: $port
transport.port: $((port + 100))
discovery.type: single-node
path.data: $data/data
path.logs: $data/logs
cluster.routing.allocation.disk.threshold_enabled: false
action.auto_create_index: false
YAML
  sed -i.bak -e "s#=logs/hs_err#=$data/logs/hs_err#; s#HeapDumpPath=data#HeapDumpPath=$data#" \
    -e '/UseG1GC/d; /G1ReservePercent/d; /InitiatingHeapOccupancyPercent/d; /^-Xm[sx]/d; /Xlog:gc/d' \
    "$data/config/jvm.options"
}

start() {
  if is_started "$port"; then return; fi
  java=$(find_java)
  install
  configure
  command=(env -i PATH="$PATH" HOME="$data" LANG=C.UTF-8 OPENSEARCH_PATH_CONF="$data/config" JAVA_HOME="$java"
    OPENSEARCH_JAVA_HOME="$java" OPENSEARCH_TMPDIR="$data/tmp" OPENSEARCH_JAVA_OPTS="-Xms512m -Xmx512m -XX:+UseSerialGC"
    "$home/node/bin/opensearch")
  if [ "$(id -u)" = 0 ]; then # OpenSearch refuses to run as root; "nobody" must be able to reach its folders.
    chown -R nobody "$data"
    chmod -R a+rX "$home"
    command=(setpriv --reuid=nobody --regid="$(id -g nobody)" --clear-groups "${command[@]}")
  fi
  launch 120 "${command[@]}"
  echo "OpenSearch on 127.0.0.1:$port, data in $data" >&2
}

case "$action" in
  start | stop) $action ;;
  *) echo "usage: opensearch.sh start|stop [PORT] [DATA]" >&2; exit 2 ;;
esac
