#!/bin/sh
# Notes a crash on the first day of a version, as root, for the updater to weigh: `sh crashed.sh <folder of the program> <folder of its state>`.
# systemd gives SERVICE_RESULT and EXIT_STATUS (systemd.exec(5)); a service that is stopped has `success`.
set -eu

PREFIX=$1
STATE=$2
SIZE_MAX=60000

[ "${SERVICE_RESULT:-success}" != success ] || exit 0
# During a trial the updater itself is there and watches.
[ -e "$PREFIX/first-day" ] && [ ! -e "$PREFIX/trial" ] || exit 0
# Whatever keeps the updater from reading them.
[ ! -e "$PREFIX/crashes" ] || [ "$(wc -c <"$PREFIX/crashes")" -lt "$SIZE_MAX" ] || exit 0

read -r boot </proc/sys/kernel/random/boot_id
read -r up _ </proc/uptime
version=$(readlink "$PREFIX/current")
# The agent's own file, which it may replace by a link at any moment: read with the agent's rights.
status=$("$PREFIX/current/lib/helper" read "$STATE" status.json 2>/dev/null | tr -d '\n')
umask 077
printf '%s %s %s %s %s\n' "$boot" "$up" "${version##*/}" "${EXIT_STATUS:-?}" "$status" >>"$PREFIX/crashes"
