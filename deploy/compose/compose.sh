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
