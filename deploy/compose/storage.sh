# To be sourced after compose.sh: where backups are stored. Settings come from the environment, else from .env; docs/operations/upgrade-and-back-up.md lists them.
fail() { echo "$2" >&2; exit "$1"; }
# EX_CONFIG of sysexits.h.
misconfigured() { fail 78 "$1"; }

setting() {
  eval "value=\${$1-}"
  if [ -z "$value" ] && [ -e .env ]; then
    value=$(sed -n "s/^$1=//p" .env | tail -n 1 | sed -e 's/^"\(.*\)"$/\1/' -e "s/^'\(.*\)'$/\1/")
  fi
  printf '%s' "$value"
}

# Reports a missing program, with its Debian package.
need() {
  command -v "$1" >/dev/null ||
    fail 69 "$1 is missing, which $2 needs. Debian and Ubuntu: apt-get install $1. Others: $3"
}

whole_number() {
  case $2 in '' | *[!0-9]* | ??????*) misconfigured "$1 is \"$2\": expected a whole number of $3, $4 or more" ;; esac
  [ "$2" -ge "$4" ] || misconfigured "$1 is \"$2\": expected a whole number of $3, $4 or more"
}

read_retention() {
  keep_days=$(setting WARREN_BACKUP_KEEP_DAYS) keep_last=$(setting WARREN_BACKUP_KEEP_LAST)
  keep_days=${keep_days:-14} keep_last=${keep_last:-3}
  whole_number WARREN_BACKUP_KEEP_DAYS "$keep_days" days 0
  whole_number WARREN_BACKUP_KEEP_LAST "$keep_last" backups 1
}

# Sets `recipient`, empty without encryption, and age's options in `recipient_option`.
read_recipient() {
  recipient=$(setting WARREN_BACKUP_RECIPIENT)
  case $recipient in
    '') return ;;
    AGE-SECRET-KEY-*) misconfigured 'WARREN_BACKUP_RECIPIENT is a secret key: expected the public key, age1…, that age-keygen -y prints for it' ;;
    age1* | ssh-*) recipient_option=--recipient ;;
    *)
      [ -r "$recipient" ] || misconfigured "WARREN_BACKUP_RECIPIENT is \"$recipient\": expected age1…, or a readable file with a recipient on each line"
      recipient_option=--recipients-file
      ;;
  esac
  need age encryption https://age-encryption.org
  said=$(age "$recipient_option" "$recipient" </dev/null 2>&1 >/dev/null) ||
    misconfigured "WARREN_BACKUP_RECIPIENT is \"$recipient\": age refuses it: $(echo "$said" | head -n 1)"
}

# Sets `remote`, empty without S3, and the environment of rclone.
read_s3() {
  remote= missing= given=
  for key in ENDPOINT BUCKET ACCESS_KEY_ID SECRET_ACCESS_KEY; do
    if [ -n "$(setting WARREN_BACKUP_S3_$key)" ]; then given="$given WARREN_BACKUP_S3_$key"
    else missing="$missing WARREN_BACKUP_S3_$key"
    fi
  done
  if [ -z "$given" ]; then
    prefix=$(setting WARREN_BACKUP_S3_PREFIX)
    [ -z "$prefix" ] || misconfigured "WARREN_BACKUP_S3_PREFIX is set, and missing are:$missing"
    return 0
  fi
  [ -z "$missing" ] || misconfigured "S3 is half configured: set are$given, and missing are:$missing"
  endpoint=$(setting WARREN_BACKUP_S3_ENDPOINT) bucket=$(setting WARREN_BACKUP_S3_BUCKET) prefix=$(setting WARREN_BACKUP_S3_PREFIX)
  printf '%s' "$endpoint" | grep -Eq '^https?://[^/?#@ ]+/?$' ||
    misconfigured "WARREN_BACKUP_S3_ENDPOINT is \"$endpoint\": expected an address such as https://s3.eu-central-1.amazonaws.com"
  printf '%s' "$bucket" | grep -Eq '^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$' ||
    misconfigured "WARREN_BACKUP_S3_BUCKET is \"$bucket\": expected a bucket's name, 3 to 63 of a-z, 0-9, dot and hyphen"
  # grep finds no line in an empty text.
  [ -z "$prefix" ] || printf '%s' "$prefix" | grep -Eq '^([A-Za-z0-9._-]+/?)*$' ||
    misconfigured "WARREN_BACKUP_S3_PREFIX is \"$prefix\": expected a path such as warren/production"
  delete_remote=$(setting WARREN_BACKUP_S3_DELETE)
  case ${delete_remote:=true} in true | false) ;; *)
    misconfigured "WARREN_BACKUP_S3_DELETE is \"$delete_remote\": expected true or false" ;;
  esac
  need rclone 'a copy in S3' https://rclone.org/install
  region=$(setting WARREN_BACKUP_S3_REGION)
  export RCLONE_CONFIG=/dev/null RCLONE_CONFIG_WARREN_TYPE=s3 RCLONE_CONFIG_WARREN_PROVIDER=Other
  export RCLONE_CONFIG_WARREN_ENDPOINT="$endpoint" RCLONE_CONFIG_WARREN_REGION="${region:-us-east-1}"
  # The owner creates buckets, with their policies.
  export RCLONE_CONFIG_WARREN_NO_CHECK_BUCKET=true
  RCLONE_CONFIG_WARREN_ACCESS_KEY_ID=$(setting WARREN_BACKUP_S3_ACCESS_KEY_ID)
  RCLONE_CONFIG_WARREN_SECRET_ACCESS_KEY=$(setting WARREN_BACKUP_S3_SECRET_ACCESS_KEY)
  export RCLONE_CONFIG_WARREN_ACCESS_KEY_ID RCLONE_CONFIG_WARREN_SECRET_ACCESS_KEY
  prefix=${prefix%/}
  remote=warren:$bucket${prefix:+/$prefix}
}

s3() { rclone --retries 3 --low-level-retries 3 --contimeout 10s --timeout 60s --stats 0 "$@"; }
checksum() { sha256sum | cut -d ' ' -f 1; }

# Copies a dump and its checksum, and reads the dump back to verify it.
upload() {
  copy=$(basename "$1")
  s3 copyto "$1" "$remote/$copy" || fail 74 "$1 could not be copied to $remote. It is kept here."
  if [ "$(s3 cat "$remote/$copy" | checksum)" != "$(checksum <"$1")" ]; then
    s3 deletefile "$remote/$copy" || true
    fail 74 "$remote/$copy is not what was copied there. $1 is kept here."
  fi
  # After the dump, so that a dump with a checksum is complete.
  s3 copyto "$1.sha256" "$remote/$copy.sha256" || fail 74 "$1.sha256 could not be copied to $remote. It is kept here."
}

# Downloads a dump and its checksum from S3 to the folder backups.
download() {
  [ -n "$remote" ] || misconfigured 'There is no S3 to fetch from: WARREN_BACKUP_S3_ENDPOINT and the others are not set'
  for stored in "$1.sha256" "$1"; do
    s3 copyto "$remote/$stored" "backups/$stored.fetched" || fail 66 "$remote/$stored could not be fetched."
    [ -e "backups/$stored.fetched" ] || fail 66 "$remote/$stored: there is no such file."
    mv "backups/$stored.fetched" "backups/$stored"
  done
}

# Filters the names of a folder: dumps that are too old, and not among the latest ones with a checksum.
expired() {
  oldest=warren-$(date -u -d "@$(($(date +%s) - keep_days * 86400))" +%Y%m%dT%H%M%SZ)
  grep -E '^warren-[0-9]{8}T[0-9]{6}Z\.dump(\.age)?(\.sha256)?$' | sort -r | awk -v keep="$keep_last" -v oldest="$oldest" '
    /\.sha256$/ { sums[$0] = 1; next }
    { dumps[++count] = $0 }
    END {
      for (i = 1; i <= count; i++) {
        if (dumps[i] ".sha256" in sums && ++whole <= keep) continue
        if (dumps[i] < oldest) print dumps[i]
      }
    }'
}

# Deletes the checksum first, so that an interrupted deletion leaves nothing that counts as a backup.
delete_expired() {
  find "$1" -maxdepth 1 -type f -name 'warren-*' | sed 's|.*/||' | expired | while read -r name; do
    rm -f "$1/$name.sha256" "$1/$name"
  done
  [ -n "$remote" ] && [ "$delete_remote" = true ] || return 0
  names=$(s3 lsf --files-only --include 'warren-*' "$remote") || fail 74 "$remote could not be listed, so no old backup was deleted there."
  echo "$names" | expired | while read -r name; do
    for file in "$name.sha256" "$name"; do
      ! echo "$names" | grep -qxF "$file" || s3 deletefile "$remote/$file" || exit 74
    done
  done || fail 74 "An old backup could not be deleted in $remote."
}

# Records the backup for warren_backup_last_success_timestamp_seconds. Databases of former versions lack this table.
record_backup() {
  in_postgres psql --username="$administrator" --dbname="$database" --quiet --set=ON_ERROR_STOP=1 --command="do 'begin
    if to_regclass(''tenancy.backups'') is not null then update tenancy.backups set succeeded_at = now(); end if; end'" </dev/null ||
    fail 74 'The backup is good, but its time could not be recorded.'
}
