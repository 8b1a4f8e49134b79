#!/bin/bash
# Starts and stops BottleCRM (PyPI django-crm, MIT) over a PostgreSQL of its own, on 127.0.0.1 alone.
# usage: bottlecrm.sh start|stop|shell FOLDER    start prints URL=... and TOKEN=...; CRM_PORT=8766 PGPORT=5477
# shell runs the Python code of standard input in it.
# The first start installs it and runs its migrations: some minutes. Needs PostgreSQL's programs (Debian: postgresql).
# PostgreSQL does not run as root, so root runs it as the user postgres.
set -euo pipefail
ACTION=$1; HERE=$(mkdir -p "$2" && cd "$2" && pwd); CRM_PORT=${CRM_PORT:-8766}; PGPORT=${PGPORT:-5477}; VERSION=1.35.0
PGBIN=${PGBIN:-$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -1)}; PGBIN=${PGBIN:-$(dirname "$(command -v initdb || echo /usr/bin/initdb)")}
PYTHON=${PYTHON:-$(cd "$(dirname "$0")/../.." && readlink -f .venv/bin/python)}
EMAIL=alice@demo.example
name=BottleCRM; pid_file=$HERE/crm.pid; log=$HERE/crm.log
# shellcheck source=infra/services/service.sh
. "$(dirname "$0")/service.sh"
export SECRET_KEY=a-key-for-this-machine-alone-which-protects-nothing ENV_TYPE=dev DEBUG=True ALLOWED_HOSTS=localhost,127.0.0.1
export DBNAME=bottlecrm DBUSER=crm DBPASSWORD=x DBHOST=127.0.0.1 DBPORT=$PGPORT DJANGO_SETTINGS_MODULE=crm.settings
export CELERY_BROKER_URL=memory:// CELERY_RESULT_BACKEND=cache+memory://
pg() { if [ "$(id -u)" = 0 ]; then su postgres -s /bin/sh -c "$1"; else sh -c "$1"; fi; }
q() { "$PGBIN/psql" -h 127.0.0.1 -p "$PGPORT" -U crm "$@"; }
# In its folder, as it writes logs where it stands.
django() { (cd "$HERE" && venv/bin/python -m django "$@"); }

if [ "$ACTION" = stop ]; then
  stop
  pg "$PGBIN/pg_ctl -D $HERE/pg/data stop -m fast" >/dev/null || true
  exit 0
fi

if [ "$ACTION" = shell ]; then
  django shell
  exit
fi

[ -x "$HERE/venv/bin/gunicorn" ] || { "$PYTHON" -m venv "$HERE/venv"; "$HERE/venv/bin/pip" install -q "django-crm==$VERSION" gunicorn; } >&2
mkdir -p "$HERE/pg"; [ "$(id -u)" != 0 ] || chown postgres "$HERE/pg"
[ -d "$HERE/pg/data" ] || pg "$PGBIN/initdb -D $HERE/pg/data -U crm --auth=trust -E UTF8" >/dev/null
pg "$PGBIN/pg_ctl -D $HERE/pg/data status" >/dev/null 2>&1 ||
  pg "$PGBIN/pg_ctl -D $HERE/pg/data -w -l $HERE/pg/log -o '-p $PGPORT -c listen_addresses=127.0.0.1 -c unix_socket_directories=$HERE/pg' start" >/dev/null
if ! q -Atc "select 1 from pg_database where datname='bottlecrm'" postgres | grep -q 1; then
  echo "Setting up BottleCRM for the first time: some minutes." >&2
  q -qc 'create database bottlecrm' postgres
  django migrate >/dev/null
  django seed_data --email $EMAIL --leads 12 --accounts 6 --contacts 8 --opportunities 8 --cases 1 --tasks 5 --goals 1 --seed 42 --no-input >/dev/null
fi
ORG=$(q -Atc 'select id from organization limit 1' bottlecrm)
JWT=$(django devlogin $EMAIL --org "$ORG" 2>/dev/null | sed -n 's/^access_token: *//p')
answers() { curl -fs -o /dev/null "http://127.0.0.1:$CRM_PORT/api/leads/" -H "Authorization: Bearer $JWT"; }
answers || { cd "$HERE"; launch 60 venv/bin/python -m gunicorn -b "127.0.0.1:$CRM_PORT" -w 1 --threads 4 crm.wsgi; }
TOKEN=$(curl -fs "http://127.0.0.1:$CRM_PORT/api/profile/tokens/" -X POST -H "Authorization: Bearer $JWT" -H 'content-type: application/json' \
  -d '{"name":"aisha"}' | sed 's/.*"token":"\([^"]*\)".*/\1/')
echo "URL=http://127.0.0.1:$CRM_PORT"
echo "TOKEN=$TOKEN"
