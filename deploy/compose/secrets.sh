# To be sourced: a random secret for each server and service.
secrets='POSTGRES_PASSWORD IDENTITY_DB_PASSWORD TENANCY_DB_PASSWORD DEVICES_DB_PASSWORD REDIS_PASSWORD
  NATS_PASSWORD_GATEWAY NATS_PASSWORD_IDENTITY NATS_PASSWORD_TENANCY NATS_PASSWORD_DEVICES NATS_PASSWORD_TUNNELS NATS_PASSWORD_DOCTOR'

# Begins with a letter: nats-server reads a bare value that begins with a digit as a number.
secret() { printf 's%s' "$(od -An -N24 -tx1 /dev/urandom | tr -d ' \n')"; }

# Adds those to a file that it has not yet.
add_secrets() {
  for name in $secrets; do
    grep -q "^$name=" "$1" || echo "$name=$(secret)" >>"$1"
  done
}
