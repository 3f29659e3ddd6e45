#!/bin/sh
# Point-in-time recovery of the database with pgBackRest; pitr.yaml must be among the files of Compose (docs/operations/upgrade-and-back-up.md).
#   ./pitr.sh backup [full | diff | incr]    diff without a word; the first is full
#   ./pitr.sh info
#   ./pitr.sh restore '2026-01-02 03:04:05+00' [options of pgbackrest restore]
set -eu
usage() { echo "usage: $0 backup [full | diff | incr] | info | restore 'YYYY-MM-DD HH:MM:SS+ZZ' [OPTION…]" >&2; exit 64; }
[ $# -ge 1 ] || usage
command=$1
shift
case $command in
  backup)
    type=${1:-diff}
    [ $# -le 1 ] || usage
    case $type in full | diff | incr) ;; *) echo "The type is \"$type\": expected full, diff or incr" >&2; exit 64 ;; esac
    ;;
  info) [ $# -eq 0 ] || usage ;;
  restore)
    [ $# -ge 1 ] || usage
    moment=$1
    shift
    # With a time zone, as the server's may differ from the user's.
    printf '%s' "$moment" | grep -Eq '^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?[+-][0-9]{2}(:?[0-9]{2})?$' ||
      { echo "The moment is \"$moment\": expected date, time and zone such as '2026-01-02 03:04:05+00'" >&2; exit 64; }
    ;;
  *) usage ;;
esac
. "$(dirname "$0")/compose.sh"
. ./storage.sh

pgbackrest='pgbackrest --stanza=warren'
# As the user that archives, which must be able to read these files.
# shellcheck disable=SC2086 # words of a command
running() { compose exec -T -u postgres postgres $pgbackrest "$@"; }
# shellcheck disable=SC2086
stopped() { compose run --rm --no-deps -T -u postgres postgres $pgbackrest "$@"; }
ask() { in_postgres psql --username=postgres --dbname=postgres --no-align --tuples-only --command="$1" </dev/null; }

back_up() {
  [ "$(ask 'show archive_mode')" = on ] ||
    { echo 'PostgreSQL does not archive: set COMPOSE_FILE=compose.yaml:pitr.yaml in .env, then docker compose up --detach --build postgres' >&2; exit 78; }
  running stanza-create
  # Checks that a WAL segment arrives in the archive.
  running check
  running backup --type="$type"
  record_backup
}

# Stops everything, so that no writes are lost; PostgreSQL archives its last segment when it stops.
restore() {
  # shellcheck disable=SC2086 # a list of names
  compose stop $services
  compose stop postgres
  stopped restore --delta --type=time --target="$moment" --target-action=promote "$@" || {
    echo "Nothing is running, and the database may be half restored. Run this again, with another moment if need be: ./pitr.sh info" >&2
    exit 69
  }
  compose up --detach postgres
  tries=0
  until [ "$(ask 'select pg_is_in_recovery()' 2>/dev/null)" = f ]; do
    tries=$((tries + 1))
    [ $tries -lt "${RECOVERY_SECONDS:-3600}" ] || {
      echo "PostgreSQL has not reached $moment. See $COMPOSE logs postgres; the archive may end before it: ./pitr.sh info" >&2
      exit 69
    }
    sleep 1
  done
  start_all || exit 69
  echo "The database is that of $moment. Everybody signs in again; devices reconnect. Make a full backup now: ./pitr.sh backup full"
}

case $command in
  backup) back_up ;;
  info) running info ;;
  restore) restore "$@" ;;
esac
