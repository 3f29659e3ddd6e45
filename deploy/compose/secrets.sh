# To be sourced: creates a random secret for each server and service, and a key for each service's calls.
signers='gateway identity tenancy devices fleet audit tunnels'
secrets='POSTGRES_PASSWORD IDENTITY_DB_PASSWORD TENANCY_DB_PASSWORD DEVICES_DB_PASSWORD FLEET_DB_PASSWORD AUDIT_DB_PASSWORD REDIS_PASSWORD SESSION_KEY CHANNEL_KEY'
for user in GATEWAY IDENTITY TENANCY DEVICES FLEET AUDIT TUNNELS DOCTOR; do secrets="$secrets NATS_PASSWORD_$user REDIS_PASSWORD_$user"; done

# Begins with a letter: nats-server reads a bare value that begins with a digit as a number.
secret() { printf 's%s' "$(od -An -N24 -tx1 /dev/urandom | tr -d ' \n')"; }

# An Ed25519 key: PKCS #8 in base64, and the public half of one.
caller_key() { openssl genpkey -algorithm ed25519 -outform DER | openssl base64 -A; }
public_half() { printf '%s' "$1" | openssl base64 -d -A | openssl pkey -inform DER -pubout -outform DER | openssl base64 -A; }

# Adds the missing ones to a file. Keeps the entries of CALLER_KEYS, which may have two keys of a service.
add_secrets() {
  command -v openssl >/dev/null || { echo "openssl is missing: it makes the keys that services sign their calls with." >&2; exit 69; }
  for name in $secrets; do
    grep -q "^$name=" "$1" || echo "$name=$(secret)" >>"$1"
  done
  grep -q '^AUDIT_KEY=' "$1" || echo "AUDIT_KEY=$(caller_key)" >>"$1"
  keys=$(sed -n 's/^CALLER_KEYS=//p' "$1")
  for service in $signers; do
    name=CALLER_KEY_$(printf '%s' "$service" | tr a-z A-Z)
    grep -q "^$name=" "$1" || echo "$name=$(caller_key)" >>"$1"
    case ,$keys in *",$service="*) ;; *) keys="$keys,$service=$(public_half "$(sed -n "s/^$name=//p" "$1")")" ;; esac
  done
  grep -q '^CALLER_KEYS=' "$1" || echo 'CALLER_KEYS=' >>"$1"
  # Written in place: the file keeps its owner and mode.
  changed=$(sed "s|^CALLER_KEYS=.*|CALLER_KEYS=${keys#,}|" "$1")
  printf '%s\n' "$changed" >"$1"
}
