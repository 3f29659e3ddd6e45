#!/bin/sh
# Replaces the database with a dump of backup.sh. The dump is checked and restored into a second database while everything runs; then the two
# are swapped in one transaction. The former database is deleted once the services are healthy, or comes back with --undo.
#   ./restore.sh backups/warren-….dump
#   ./restore.sh backups/warren-….dump.age --identity key.txt
#   ./restore.sh s3:warren-….dump.age --identity key.txt
#   ./restore.sh --undo
set -eu
umask 077
usage() { echo "usage: $0 FILE | s3:NAME [--identity FILE] | --undo" >&2; exit 64; }
absolute() { case $1 in /* | s3:*) printf '%s' "$1" ;; *) printf '%s/%s' "$(pwd)" "$1" ;; esac; }
readable() { [ -r "$1" ] || { echo "$1: there is no such file, or it can't be read" >&2; exit 66; }; }
identity=
case $# in
  1) ;;
  3) [ "$2" = --identity ] || usage; identity=$(absolute "$3"); readable "$identity" ;;
  *) usage ;;
esac
case $1 in --undo) [ $# -eq 1 ] || usage; file= ;; -*) usage ;; *) file=$(absolute "$1") ;; esac
. "$(dirname "$0")/compose.sh"
. ./storage.sh
exec 9>backups/.restore.lock
flock --nonblock 9 || { echo "Another restore is running." >&2; exit 75; }
case $file in
  s3:*)
    wanted=${file#s3:}
    printf '%s' "$wanted" | grep -Eq '^warren-[0-9TZ]+\.dump(\.age)?$' ||
      fail 64 "s3:$wanted: expected a name that ./backup.sh --list prints, such as s3:warren-20260102T030405Z.dump"
    read_s3
    download "$wanted"
    file=$(pwd)/backups/$wanted
    ;;
  '') ;;
  *) readable "$file" ;;
esac

fresh=warren_restored
# The name sorts by time.
former=warren_before_$(date -u +%Y%m%d%H%M%S)

# Runs SQL in a database; prints a line for each row.
sql() {
  in_postgres psql --username=postgres --dbname="$1" --quiet --no-align --tuples-only --set=ON_ERROR_STOP=1 \
    --command="$2" </dev/null
}
formers() { sql postgres "select datname from pg_database where datname like 'warren\\_before\\_%' order by 1"; }
drop() { in_postgres dropdb --username=postgres --if-exists --force "$1" </dev/null; }
refuse() { echo "$1 The database is as it was." >&2; exit 65; }

wait_for_postgres() {
  tries=0
  until in_postgres pg_isready --quiet --host=127.0.0.1 --username=postgres </dev/null; do
    tries=$((tries + 1))
    [ $tries -lt 60 ] || { echo "PostgreSQL does not answer." >&2; exit 69; }
    sleep 1
  done
}

# Tells whether age encrypted the file, by its first bytes, as its name may have changed.
encrypted() { [ "$(head -c 21 "$file" | tr -d '\0')" = age-encryption.org/v1 ]; }
# Prints the dump; an encrypted one is never written to a file. The reader may close the pipe early.
dump() { if encrypted; then age --decrypt --identity "$identity" "$file"; else cat "$file"; fi; }

check_identity() {
  encrypted || return 0
  [ -n "$identity" ] || refuse "$file is encrypted: name the file with its secret key by --identity."
  need age decryption https://age-encryption.org
  said=$(dump 2>&1 >/dev/null) ||
    refuse "$file can't be decrypted with $identity: $(echo "$said" | head -n 1)"
}

in_dump() { echo "$contents" | grep -q " SCHEMA - $1 "; }

# Refuses a dump that is damaged, truncated or of another database, before anything changes.
check() {
  if [ -r "$file.sha256" ]; then
    size=$(size_of "$file") whole=$(sed -n 's/^# \([0-9]*\) bytes$/\1/p' "$file.sha256")
    [ "$size" = "${whole:-$size}" ] || refuse "$file has $size bytes instead of $whole: it was cut short."
    sum=$(sha256sum <"$file")
    grep -q "^${sum%% *} " "$file.sha256" || refuse "$file has another checksum than $file.sha256: it was damaged or changed."
  else
    echo "There is no $file.sha256, so the dump alone is checked."
  fi
  check_identity
  contents=$(dump 2>/dev/null | in_postgres pg_restore --list) || refuse "$file is no dump of PostgreSQL."
  for schema in identity tenancy devices; do
    in_dump $schema || refuse "$file is no dump of Warren: it has no schema $schema."
  done
  dump | in_postgres pg_restore --file=/dev/null || refuse "$file can't be read to its end."
}

# Restores a schema of the dump, owned by a role.
restore_schema() {
  sql $fresh "set client_min_messages = warning; drop schema if exists $1 cascade; create schema $1 authorization $2"
  dump | in_postgres pg_restore --username=postgres --dbname=$fresh --schema="$1" --role="$2" \
    --no-owner --no-privileges --exit-on-error --single-transaction
}

# Creates the second database. migrate creates roles with the passwords of .env, and empty schemas.
fill() {
  drop $fresh
  trap 'code=$?; drop $fresh || true; [ $code -eq 0 ] || echo "The dump was not restored. The database is as it was." >&2; exit $code' EXIT
  WARREN_DATABASE=$fresh
  export WARREN_DATABASE
  compose run --rm migrate
  # Before identity, which has a view of it. In dumps of 0.1.0 the audit trail is in identity; migrate moves it.
  if in_dump audit; then
    restore_schema audit warren_identity_audit
    sql $fresh 'grant usage on schema audit to warren_identity, warren_audit'
  else
    sql $fresh 'set client_min_messages = warning; drop schema audit cascade'
  fi
  for schema in identity tenancy devices; do restore_schema $schema warren_$schema; done
  # Dumps of 0.1.0 have no such schema; it stays empty.
  if in_dump fleet; then restore_schema fleet warren_fleet; fi
  # What the audit service keeps beside the schema audit; without it the migrations create that, and identity hands its rows over again.
  if in_dump trail; then restore_schema trail warren_audit; else sql $fresh 'drop schema if exists trail cascade; create schema trail authorization warren_audit'; fi
  # Applies newer migrations, and privileges.
  compose run --rm migrate
  unset WARREN_DATABASE
}

# Replaces the present database, which becomes `$former`.
swap() {
  # shellcheck disable=SC2086 # a list of names
  compose stop $services
  renames="alter database $1 rename to warren"
  [ -z "$(sql postgres "select 1 from pg_database where datname = 'warren'")" ] ||
    renames="alter database warren rename to $former; $renames"
  tries=0
  # Both renames are one transaction. Disconnects remaining clients, such as a cron job's backup.
  until sql postgres "select pg_terminate_backend(pid) from pg_stat_activity where datname in ('warren', '$1')" >/dev/null &&
    sql postgres "$renames"; do
    tries=$((tries + 1))
    [ $tries -lt 10 ] || { echo "The databases could not be renamed." >&2; compose up --detach; exit 69; }
    sleep 1
  done
}

compose up --detach postgres
wait_for_postgres
if [ -z "$file" ]; then
  last=$(formers | tail -n 1)
  [ -n "$last" ] || { echo "There is no former database to go back to." >&2; exit 66; }
  swap "$last"
  start_all || exit 69
  drop "$former"
  echo "The database is the one before the last restore again."
  exit
fi
check
fill
trap - EXIT
swap $fresh
start_all || {
  echo "The dump is restored, but not all services are healthy on it. To return to the former database: $0 --undo" >&2
  exit 69
}
for name in $(formers); do drop "$name"; done
echo "Restored from $file. Everybody signs in again; devices reconnect."
