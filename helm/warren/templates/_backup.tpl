{{/* A cron expression as Kubernetes reads it. */}}
{{- define "warren.cronPattern" -}}
{{- $value := dict
  "minute" "(0?[0-9]|[1-5][0-9])"
  "hour" "(0?[0-9]|1[0-9]|2[0-3])"
  "day" "(0?[1-9]|[12][0-9]|3[01])"
  "month" "(0?[1-9]|1[0-2]|[Jj][Aa][Nn]|[Ff][Ee][Bb]|[Mm][Aa][Rr]|[Aa][Pp][Rr]|[Mm][Aa][Yy]|[Jj][Uu][Nn]|[Jj][Uu][Ll]|[Aa][Uu][Gg]|[Ss][Ee][Pp]|[Oo][Cc][Tt]|[Nn][Oo][Vv]|[Dd][Ee][Cc])"
  "weekday" "([0-6]|[Ss][Uu][Nn]|[Mm][Oo][Nn]|[Tt][Uu][Ee]|[Ww][Ee][Dd]|[Tt][Hh][Uu]|[Ff][Rr][Ii]|[Ss][Aa][Tt])"
-}}
{{- $fields := list -}}
{{- range list "minute" "hour" "day" "month" "weekday" -}}
{{- $one := get $value . -}}
{{- $part := printf "(\\*|\\?|%s(-%s)?)(/[1-9][0-9]*)?" $one $one -}}
{{- $fields = append $fields (printf "%s(,%s)*" $part $part) -}}
{{- end -}}
^(@(yearly|annually|monthly|weekly|daily|midnight|hourly)|{{ join " +" $fields }})$
{{- end -}}

{{/* Takes {name, value}, a schedule. */}}
{{- define "warren.checkSchedule" -}}
{{- if not (regexMatch (include "warren.cronPattern" .) .value) -}}
{{- fail (printf "%s: expected a cron expression such as \"30 3 * * *\" (came: %q)." .name .value) -}}
{{- end -}}
{{- end -}}

{{/* Values of backups that can't work. */}}
{{- define "warren.checkBackup" -}}
{{- $b := .Values.backup -}}
{{- include "warren.checkSchedule" (dict "name" "backup.schedule" "value" $b.schedule) -}}
{{- if lt (int $b.keepLast) 1 -}}
{{- fail (printf "backup.keepLast: expected 1 or more (came: %v)." $b.keepLast) -}}
{{- end -}}
{{- if and $b.recipient (not (regexMatch "^age1[0-9a-z]{58,}$" $b.recipient)) -}}
{{- fail "backup.recipient: expected a public key of age, which begins with age1." -}}
{{- end -}}
{{- $s3 := dict -}}
{{- $missing := list -}}
{{- range list "endpoint" "bucket" "existingSecret" -}}
{{- if get $b.s3 . }}{{ $_ := set $s3 . true }}{{ else }}{{ $missing = append $missing (printf "backup.s3.%s" .) }}{{ end -}}
{{- end -}}
{{- if and $s3 $missing -}}
{{- fail (printf "backup.s3 is half set, missing: %s." (join ", " $missing)) -}}
{{- end -}}
{{- if and $b.s3.endpoint (not (regexMatch "^https?://[^/?#@ ]+/?$" $b.s3.endpoint)) -}}
{{- fail (printf "backup.s3.endpoint: expected an address such as https://s3.eu-central-1.amazonaws.com (came: %s)." $b.s3.endpoint) -}}
{{- end -}}
{{- if not (or $s3 $b.existingClaim) -}}
{{- fail "backup: expected backup.s3 or backup.existingClaim, as a backup would end with its pod." -}}
{{- end -}}
{{- $missing = list -}}
{{- range list "host" "user" "existingSecret" -}}
{{- if not (get $b.database .) }}{{ $missing = append $missing (printf "backup.database.%s" .) }}{{ end -}}
{{- end -}}
{{- if and $missing (not .Values.postgresql.bundled) -}}
{{- fail (printf "backup.database: missing: %s." (join ", " $missing)) -}}
{{- end -}}
{{- end -}}

{{/* What backup.sh reads. */}}
{{- define "warren.env.backup" -}}
{{- $b := .Values.backup -}}
{{- $full := include "warren.fullname" . -}}
{{- $database := ternary (dict "host" (printf "%s-postgresql" $full) "port" 5432 "name" "warren" "user" "postgres" "existingSecret" (include "warren.bundledSecret" .) "key" "postgres-password") $b.database .Values.postgresql.bundled -}}
- { name: PGHOST, value: {{ $database.host | quote }} }
- { name: PGPORT, value: {{ $database.port | quote }} }
- { name: PGDATABASE, value: {{ $database.name | quote }} }
- { name: PGUSER, value: {{ $database.user | quote }} }
- name: PGPASSWORD
  valueFrom: { secretKeyRef: { name: {{ $database.existingSecret | quote }}, key: {{ $database.key | quote }} } }
{{- if .Values.postgresql.caSecret }}
- { name: PGSSLMODE, value: verify-full }
- { name: PGSSLROOTCERT, value: /etc/warren/postgresql-ca/ca.crt }
{{- end }}
- { name: WARREN_BACKUP_KEEP_DAYS, value: {{ $b.keepDays | quote }} }
- { name: WARREN_BACKUP_KEEP_LAST, value: {{ $b.keepLast | quote }} }
{{- with $b.recipient }}
- { name: WARREN_BACKUP_RECIPIENT, value: {{ . | quote }} }
{{- end }}
{{- if $b.s3.endpoint }}
- { name: WARREN_BACKUP_S3_ENDPOINT, value: {{ $b.s3.endpoint | quote }} }
- { name: WARREN_BACKUP_S3_BUCKET, value: {{ $b.s3.bucket | quote }} }
- { name: WARREN_BACKUP_S3_REGION, value: {{ $b.s3.region | quote }} }
- { name: WARREN_BACKUP_S3_PREFIX, value: {{ $b.s3.prefix | quote }} }
- { name: WARREN_BACKUP_S3_DELETE, value: {{ $b.s3.delete | quote }} }
- name: WARREN_BACKUP_S3_ACCESS_KEY_ID
  valueFrom: { secretKeyRef: { name: {{ $b.s3.existingSecret | quote }}, key: access-key-id } }
- name: WARREN_BACKUP_S3_SECRET_ACCESS_KEY
  valueFrom: { secretKeyRef: { name: {{ $b.s3.existingSecret | quote }}, key: secret-access-key } }
{{- end }}
{{- end -}}
