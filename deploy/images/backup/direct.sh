# In the place of compose.sh where PostgreSQL is reached at its address, by PGHOST, PGUSER, PGPASSWORD and PGDATABASE (libpq).
cd "$(dirname "$0")"
for variable in PGHOST PGUSER PGDATABASE; do
  eval "[ -n \"\${$variable-}\" ]" || { echo "$variable is not set: expected the server's host, a role and a database in PGHOST, PGUSER and PGDATABASE" >&2; exit 78; }
done
administrator=$PGUSER database=$PGDATABASE
in_postgres() { "$@"; }
size_of() { wc -c <"$1" | tr -d ' '; }
