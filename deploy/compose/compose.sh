# To be sourced: `compose` is Docker's compose in whichever form this machine has it; COMPOSE names another.
cd "$(dirname "$0")"
[ -e .env ] || { echo "There is no .env here: run ./configure.sh first." >&2; exit 66; }
if [ -n "${COMPOSE:-}" ]; then :
elif docker compose version >/dev/null 2>&1; then COMPOSE='docker compose'
elif docker-compose version --short 2>/dev/null | grep -q '^1\.'; then COMPOSE='docker-compose --compatibility' # reads REPLICAS
elif command -v docker-compose >/dev/null; then COMPOSE=docker-compose
else echo "Docker's compose is missing: install docker-compose-plugin." >&2; exit 69
fi
compose() { $COMPOSE "$@"; }
size_of() { wc -c <"$1" | tr -d ' '; }
# Waits until all containers of services are healthy; fails with a message after 300 s.
wait_until_healthy() {
  tries=0
  # shellcheck disable=SC2046 # a list of names
  until states=$(docker inspect --format '{{.State.Health.Status}}' $(compose ps --quiet "$@")) &&
    ! echo "$states" | grep -qv '^healthy$'; do
    tries=$((tries + 1))
    [ $tries -lt "${HEALTH_SECONDS:-300}" ] ||
      { echo "Not all services are healthy: see $COMPOSE ps and $COMPOSE logs" >&2; return 69; }
    sleep 1
  done
}
