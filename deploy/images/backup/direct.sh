# Replaces compose.sh to connect to PostgreSQL directly, by PGHOST, PGUSER, PGPASSWORD and PGDATABASE (libpq).
cd "$(dirname "$0")"
for variable in PGHOST PGUSER PGDATABASE; do
  eval "[ -n \"\${$variable-}\" ]" || { echo "$variable is not set: expected the server's host, a role and a database in PGHOST, PGUSER and PGDATABASE" >&2; exit 78; }
done
# A network policy may allow a new pod only some seconds after its start.
tries=0
until pg_isready --quiet --timeout=3 || [ $tries -ge 15 ]; do
  tries=$((tries + 1))
  sleep 2
done
administrator=$PGUSER database=$PGDATABASE
in_postgres() { "$@"; }
size_of() { wc -c <"$1" | tr -d ' '; }
