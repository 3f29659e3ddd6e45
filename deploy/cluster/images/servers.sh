#!/bin/sh
# The first argument names the server, as in the public images.
set -e
case ${1:-} in
  -*) ;;
  *) exec "$@" ;;
esac
[ "$1" != --config ] || exec nats-server "$@"

# initdb needs any name for its user.
if ! id -un >/dev/null 2>&1; then
  NSS_WRAPPER_PASSWD=$(mktemp) NSS_WRAPPER_GROUP=$(mktemp) LD_PRELOAD=$(find /usr/lib -name libnss_wrapper.so | head -n 1)
  echo "postgres:x:$(id -u):$(id -g)::/tmp:/bin/false" >"$NSS_WRAPPER_PASSWD"
  echo "postgres:x:$(id -g):" >"$NSS_WRAPPER_GROUP"
  export NSS_WRAPPER_PASSWD NSS_WRAPPER_GROUP LD_PRELOAD
fi
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  password=$(mktemp)
  printf %s "$POSTGRES_PASSWORD" >"$password"
  initdb --pgdata="$PGDATA" --username=postgres --auth-local=trust --auth-host=scram-sha-256 --pwfile="$password" >/dev/null
  rm "$password"
  echo 'host all all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
fi
exec postgres -D "$PGDATA" -c 'listen_addresses=*' -c unix_socket_directories=/tmp "$@"
