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
services='gateway tunnels identity tenancy devices'
before=$(sed -n 's/^IMAGE_TAG=//p' .env | tail -n 1)
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
# shellcheck disable=SC2086 # a list of names
compose up --detach --no-deps $services
states() {
  # shellcheck disable=SC2086,SC2046 # lists of names
  docker inspect --format '{{.State.Health.Status}}' $(compose ps --quiet $services)
}
tries=0
while states | grep -qv '^healthy$'; do
  tries=$((tries + 1))
  [ $tries -lt 300 ] || { echo "Not all services are healthy: see $COMPOSE ps and $COMPOSE logs" >&2; exit 69; }
  sleep 1
done
# It reads its file at its start alone, and an `up` leaves it running when only that file is another.
compose exec -T caddy caddy reload --config /etc/caddy/Caddyfile
echo "$IMAGE_TAG runs now, instead of ${before:-0.1.0}. To see whether all is well: $COMPOSE run --rm doctor"
