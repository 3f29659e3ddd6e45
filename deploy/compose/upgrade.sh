#!/bin/sh
# Moves the installation to the version whose images have this tag, a newer one or the one before; the files of this folder are to be
# that version's already.
#   ./upgrade.sh 0.2.0
set -eu
[ $# -eq 1 ] || { echo "usage: $0 TAG" >&2; exit 64; }
printf '%s' "$1" | grep -Eq '^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$' ||
  { echo "TAG is \"$1\": expected an image's tag such as 0.2.0" >&2; exit 64; }
. "$(dirname "$0")/compose.sh"
. ./secrets.sh
umask 077
before=$(sed -n 's/^IMAGE_TAG=//p' .env | tail -n 1)
# Services of a version that did not sign its calls are answered until all are replaced.
grep -q '^CALLER_KEYS=' .env || first_keys=1
add_secrets .env

# Counts for Compose before what is in .env. An image that is missing, or a migration that fails, ends this before anything is replaced.
export IMAGE_TAG="$1"
compose run --rm migrate
compose run --rm packages
sed '/^IMAGE_TAG=/d' .env >.env.new
echo "IMAGE_TAG=$IMAGE_TAG" >>.env.new
mv .env.new .env

# NATS in any case: it reads at its start what the services may do.
compose up --detach --no-deps --force-recreate nats
compose up --detach --no-deps postgres redis caddy
# shellcheck disable=SC2086 # lists of names
replace() {
  compose up --detach --no-deps $services
  wait_until_healthy $services
}
if [ -n "${first_keys:-}" ]; then
  UNSIGNED_CALLS=accept UNSEALED_SESSIONS=accept
  export UNSIGNED_CALLS UNSEALED_SESSIONS
  replace
  unset UNSIGNED_CALLS UNSEALED_SESSIONS
fi
replace
# It reads its file at its start alone, and an `up` leaves it running when only that file is another.
compose exec -T caddy caddy reload --config /etc/caddy/Caddyfile
echo "$IMAGE_TAG runs now, instead of ${before:-0.1.0}. To see whether all is well: $COMPOSE run --rm doctor"
