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
# Accepts unsigned calls of older services until all are replaced.
grep -q '^CALLER_KEYS=' .env || first_keys=1
add_secrets .env

# Overrides .env for Compose. A missing image or a failed migration ends the script before anything is replaced.
export IMAGE_TAG="$1"
compose run --rm migrate
compose run --rm packages
sed '/^IMAGE_TAG=/d' .env >.env.new
echo "IMAGE_TAG=$IMAGE_TAG" >>.env.new
mv .env.new .env

# Always restarts NATS, which reads the services' rights at its start.
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
# It reads its file only at its start, and `up` does not restart it if only that file changed.
compose exec -T caddy caddy reload --config /etc/caddy/Caddyfile
echo "$IMAGE_TAG runs now, instead of ${before:-0.1.0}. To see whether all is well: $COMPOSE run --rm doctor"
