#!/bin/sh
# Writes the database, while everything runs, to backups/warren-<UTC time>.dump or to the file that is named, with its size and checksum
# beside it in a file with .sha256 at the end; encrypts it, copies it to S3 and deletes old ones as .env says (docs/operations/upgrade-and-back-up.md).
# Redis and NATS are left out on purpose.
#   ./backup.sh [FILE]
#   ./backup.sh --list      what is in S3
set -eu
umask 077
[ $# -le 1 ] || { echo "usage: $0 [FILE | --list]" >&2; exit 64; }
file=${1:-}
case $file in --list | '' | /*) ;; -*) echo "usage: $0 [FILE | --list]" >&2; exit 64 ;; *) file=$(pwd)/$file ;; esac
. "$(dirname "$0")/compose.sh"
. ./storage.sh
read_retention
read_recipient
read_s3
if [ "$file" = --list ]; then
  [ -n "$remote" ] || misconfigured 'There is no S3 to list: WARREN_BACKUP_S3_ENDPOINT and the others are not set'
  s3 lsf --files-only --include 'warren-*' "$remote"
  exit
fi
mkdir -p backups
exec 9>backups/.backup.lock
flock --nonblock 9 || fail 75 'Another backup is running.'
named=$file
file=${file:-$(pwd)/backups/warren-$(date -u +%Y%m%dT%H%M%SZ).dump${recipient:+.age}}
# Files of a killed backup. The lock ensures that none is running.
find backups -maxdepth 1 -type f -name 'warren-*.part' -delete

work=$(mktemp -d)
trap 'rm -rf "$work" "$file.part" "$file.sha256.part"' EXIT
trap 'exit 143' HUP INT TERM
seal() { if [ -n "$recipient" ]; then age "$recipient_option" "$recipient"; else cat; fi; }
failed() { : >"$work/failed"; }

# Pipes the dump to pg_restore and into the file, which verifies it to its end without an unencrypted copy. Its table of contents is at
# the beginning, so it would also be complete in a truncated dump.
mkfifo "$work/check"
{ in_postgres pg_restore --file=/dev/null && cat >/dev/null; } <"$work/check" &
check=$!
{ in_postgres pg_dump --username="$administrator" --format=custom --no-owner "$database" </dev/null || failed; } |
  { tee "$work/check" || failed; } | seal >"$file.part" || failed
wait $check || failed
[ ! -e "$work/failed" ] || fail 74 'The database could not be dumped. There is no new backup.'
sync "$file.part"
printf '# %s bytes\n%s  %s\n' "$(size_of "$file.part")" "$(checksum <"$file.part")" "$(basename "$file")" >"$file.sha256.part"
mv "$file.sha256.part" "$file.sha256"
mv "$file.part" "$file"
[ -z "$remote" ] || upload "$file"
record_backup
# Retention ignores files with a custom name.
[ -n "$named" ] || delete_expired backups
echo "$file"
