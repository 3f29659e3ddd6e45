# In the place of compose.sh where PostgreSQL is reached at its address, by PGHOST, PGUSER, PGPASSWORD and PGDATABASE (libpq).
cd "$(dirname "$0")"
for variable in PGHOST PGUSER PGDATABASE; do
  eval "[ -n \"\${$variable-}\" ]" || { echo "$variable is not set: expected the server's host, a role and a database in PGHOST, PGUSER and PGDATABASE" >&2; exit 78; }
done
# A network policy may let a new pod through some seconds after it has started.
tries=0
until pg_isready --quiet --timeout=3 || [ $tries -ge 15 ]; do
  tries=$((tries + 1))
  sleep 2
done
administrator=$PGUSER database=$PGDATABASE
in_postgres() { "$@"; }
size_of() { wc -c <"$1" | tr -d ' '; }
