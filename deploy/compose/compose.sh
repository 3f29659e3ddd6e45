# To be sourced: `compose` runs Docker's compose in the form that this machine has; COMPOSE overrides it.
cd "$(dirname "$0")"
[ -e .env ] || { echo "There is no .env here: run ./configure.sh first." >&2; exit 66; }
if [ -n "${COMPOSE:-}" ]; then :
elif docker compose version >/dev/null 2>&1; then COMPOSE='docker compose'
elif docker-compose version --short 2>/dev/null | grep -q '^1\.'; then COMPOSE='docker-compose --compatibility' # reads REPLICAS
elif command -v docker-compose >/dev/null; then COMPOSE=docker-compose
else echo "Docker's compose is missing: install docker-compose-plugin." >&2; exit 69
fi
compose() { $COMPOSE "$@"; }
# Uses the PostgreSQL programs of its container, which have the server's version.
in_postgres() { compose exec -T postgres "$@"; }
administrator=postgres database=warren
# With the profile small, one container runs all services.
case ",${COMPOSE_PROFILES-$(sed -n 's/^COMPOSE_PROFILES=//p' .env | tail -n 1)}," in
  *,small,*) services=hub ;;
  *) services='gateway tunnels identity tenancy devices fleet audit' ;;
esac
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

# Starts everything on the present database. Redis has sessions and the directory of the former one.
start_all() {
  # shellcheck disable=SC2086 # a list of names
  compose up --detach redis &&
    compose exec -T redis redis-cli --no-auth-warning flushall </dev/null >/dev/null &&
    compose up --detach &&
    wait_until_healthy $services
}
