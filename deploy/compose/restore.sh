#!/bin/sh
# Puts a dump of backup.sh in the place of the database, then starts all again. Devices and people need not do anything.
#   ./restore.sh backups/warren-….dump
set -eu
[ $# -eq 1 ] || { echo "usage: $0 FILE" >&2; exit 64; }
case $1 in /*) file=$1 ;; *) file=$(pwd)/$1 ;; esac
[ -r "$file" ] || { echo "$file: there is no such file, or it can't be read" >&2; exit 66; }
. "$(dirname "$0")/compose.sh"

services='gateway tunnels identity tenancy devices'
compose up --detach postgres
tries=0
until compose exec -T postgres pg_isready --quiet --host=127.0.0.1 --username=postgres; do
  tries=$((tries + 1))
  [ $tries -lt 60 ] || { echo "PostgreSQL does not answer." >&2; exit 69; }
  sleep 1
done
compose exec -T postgres pg_restore --list <"$file" >/dev/null || { echo "$file is no dump of PostgreSQL" >&2; exit 65; }

# shellcheck disable=SC2086 # a list of names
compose stop $services
# Roles and their passwords are those of .env: migrate makes them, with empty schemas, in a new database.
compose exec -T postgres dropdb --username=postgres --if-exists --force warren
compose run --rm migrate
for schema in identity tenancy devices; do
  compose exec -T postgres psql --username=postgres --dbname=warren --quiet --set=ON_ERROR_STOP=1 \
    --command="drop schema $schema cascade; create schema $schema authorization warren_$schema"
  compose exec -T postgres pg_restore --username=postgres --dbname=warren --schema=$schema --role=warren_$schema \
    --no-owner --no-privileges --exit-on-error --single-transaction <"$file"
done
# What the dump is older than.
compose run --rm migrate
# Sessions and the directory in Redis are of another time than the database; they are made anew.
compose up --detach redis
compose exec -T redis redis-cli --no-auth-warning flushall >/dev/null
compose up --detach
echo "Restored from $file. Everybody signs in again; devices come back by themselves."
