#!/bin/sh
# Writes the database, while all runs, into one file: backups/warren-<UTC time>.dump, or the file that is named.
# PostgreSQL holds all that can't be made anew; Redis and NATS are left out on purpose (docs/operations.md).
set -eu
umask 077
file=${1:-}
case $file in '' | /*) ;; *) file=$(pwd)/$file ;; esac
. "$(dirname "$0")/compose.sh"
file=${file:-$(pwd)/backups/warren-$(date -u +%Y%m%dT%H%M%SZ).dump}

trap 'rm -f "$file.part"' EXIT
compose exec -T postgres pg_dump --username=postgres --format=custom --no-owner warren >"$file.part"
# A dump that was cut off has no table of contents.
compose exec -T postgres pg_restore --list <"$file.part" >/dev/null
mv "$file.part" "$file"
echo "$file"
