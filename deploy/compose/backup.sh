#!/bin/sh
# Writes the database, while everything runs, to backups/warren-<UTC time>.dump or to the file that is named, with its size and checksum
# beside it in a file with .sha256 at the end. Redis and NATS are left out on purpose (docs/backup.md).
set -eu
umask 077
file=${1:-}
case $file in '' | /*) ;; *) file=$(pwd)/$file ;; esac
. "$(dirname "$0")/compose.sh"
file=${file:-$(pwd)/backups/warren-$(date -u +%Y%m%dT%H%M%SZ).dump}

trap 'rm -f "$file.part" "$file.sha256.part"' EXIT
compose exec -T postgres pg_dump --username=postgres --format=custom --no-owner warren >"$file.part"
# Reads it to its end: the table of contents stands at its beginning, and would be whole in a dump that was cut short.
compose exec -T postgres pg_restore --file=/dev/null <"$file.part"
sum=$(sha256sum <"$file.part")
printf '# %s bytes\n%s  %s\n' "$(size_of "$file.part")" "${sum%% *}" "$(basename "$file")" >"$file.sha256.part"
mv "$file.sha256.part" "$file.sha256"
mv "$file.part" "$file"
echo "$file"
