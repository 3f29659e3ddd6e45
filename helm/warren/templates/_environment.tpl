{{/* Variables of one service. Takes {root, component}. */}}
{{- define "warren.env" -}}
{{- $v := .root.Values -}}
{{- $full := include "warren.fullname" .root -}}
{{- $db := has .component (list "identity" "tenancy" "devices" "fleet" "audit") -}}
- { name: NODE_ENV, value: production }
- { name: HOST, value: 0.0.0.0 }
- { name: OPS_HOST, value: 0.0.0.0 }
- { name: OPS_PORT, value: '9080' }
- { name: LOG_LEVEL, value: {{ $v.hub.logLevel | quote }} }
- { name: HUB_URL, value: {{ printf "https://%s" $v.hub.host | quote }} }
- { name: DEVICE_DOMAIN, value: {{ $v.hub.deviceDomain | quote }} }
{{- with $v.observability.otlpEndpoint }}
- { name: OTEL_EXPORTER_OTLP_ENDPOINT, value: {{ . | quote }} }
{{- end }}
{{ include "warren.env.nats" . }}
{{ include "warren.env.redis" . }}
{{- include "warren.env.callers" . }}
{{- if $db }}
{{ include "warren.env.postgresql" . }}
{{- end }}
{{- if eq .component "gateway" }}
- { name: PORT, value: '8080' }
- { name: TRUST_PROXY, value: {{ $v.hub.trustProxy | quote }} }
- { name: ACCESS_LOG, value: {{ $v.hub.accessLog | quote }} }
- { name: RATE_LIMITS, value: {{ $v.hub.rateLimits | quote }} }
- { name: OPERATOR_EMAIL, value: {{ $v.hub.operatorEmail | quote }} }
{{- with include "warren.samlProviders" (dict "of" $v "test" $v.tests.identity.enabled) }}
- { name: SAML_PROVIDERS, value: {{ . | quote }} }
{{- end }}
{{- with include "warren.oidcProviders" $v }}
- { name: OIDC_PROVIDERS, value: {{ . | quote }} }
- { name: OIDC_CLOCK_TOLERANCE, value: {{ $v.oidc.clockTolerance | quote }} }
{{- end }}
{{- with $v.hub.settingsEmails }}
- { name: SETTINGS_EMAILS, value: {{ join "," . | quote }} }
{{- end }}
{{- with $v.hub.websshEmails }}
- { name: WEBSSH_EMAILS, value: {{ join "," . | quote }} }
{{- end }}
{{- with $v.hub.studioOrigin }}
- { name: STUDIO_ORIGIN, value: {{ . | quote }} }
{{- end }}
- { name: SAML_CLOCK_TOLERANCE, value: {{ $v.saml.clockTolerance | quote }} }
{{- if $v.saml.signingSecret }}
- { name: SAML_KEY_FILE, value: /etc/warren/saml-signing/tls.key }
- { name: SAML_CERT_FILE, value: /etc/warren/saml-signing/tls.crt }
{{- end }}
{{- if $v.saml.decryptionSecret }}
- { name: SAML_DECRYPTION_KEY_FILE, value: /etc/warren/saml-decryption/tls.key }
- { name: SAML_DECRYPTION_CERT_FILE, value: /etc/warren/saml-decryption/tls.crt }
{{- end }}
{{- end }}
{{- if has .component (list "tenancy" "devices") }}
{{- range $name, $limit := $v.hub.quotas }}
- { name: QUOTA_{{ snakecase $name | upper }}, value: {{ kindIs "string" $limit | ternary $limit (int64 $limit) | quote }} }
{{- end }}
{{- end }}
{{- if eq .component "tenancy" }}
- { name: OPERATOR_EMAIL, value: {{ $v.hub.operatorEmail | quote }} }
- { name: OPERATOR_ACCOUNT, value: {{ $v.hub.operatorAccount | quote }} }
{{- with $v.hub.dnsServers }}
- { name: DNS_SERVERS, value: {{ join "," . | quote }} }
{{- end }}
{{- end }}
{{- if has .component (list "tenancy" "fleet") }}
- name: SMTP_URL
  valueFrom: { secretKeyRef: { name: {{ $v.mail.existingSecret | quote }}, key: {{ $v.mail.key | quote }} } }
{{- with $v.mail.from }}
- { name: MAIL_FROM, value: {{ . | quote }} }
{{- end }}
{{- end }}
{{- if eq .component "fleet" }}
- { name: METRICS_HISTORY, value: {{ ternary "Yes" "No" $v.fleet.metricsHistory | quote }} }
- { name: METRICS_MONTHS, value: {{ int64 $v.fleet.metricsMonths | quote }} }
{{- with $v.fleet.remoteWrite }}
{{- if .url }}
- { name: REMOTE_WRITE_URL, value: {{ .url | quote }} }
{{- $secret := .existingSecret }}
{{- with .user }}
- { name: REMOTE_WRITE_USER, value: {{ . | quote }} }
{{- end }}
{{- if $secret }}
{{- if .user }}
- name: REMOTE_WRITE_PASSWORD
  valueFrom: { secretKeyRef: { name: {{ $secret | quote }}, key: password } }
{{- else }}
- name: REMOTE_WRITE_TOKEN
  valueFrom: { secretKeyRef: { name: {{ $secret | quote }}, key: token } }
{{- end }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}
{{- if has .component (list "fleet" "audit") }}
{{- with $v.fleet.notifyPrivateAddresses }}
- { name: NOTIFY_PRIVATE_ADDRESSES, value: {{ join "," . | quote }} }
{{- end }}
{{- end }}
{{- if eq .component "audit" }}
- { name: AUDIT_MONTHS, value: {{ int64 $v.audit.months | quote }} }
{{- with $v.audit.formerKeys }}
- { name: AUDIT_FORMER_KEYS, value: {{ join "," . | quote }} }
{{- end }}
{{- if $v.audit.filesClaim }}
- { name: AUDIT_STREAM_FOLDER, value: /var/lib/warren/audit }
{{- end }}
{{- with $v.audit.recordings }}
- { name: RECORDINGS_DAYS, value: {{ int64 .days | quote }} }
- { name: RECORDINGS_QUOTA_GIB, value: {{ int64 .quotaGib | quote }} }
{{- if .claim }}
- { name: RECORDINGS_FOLDER, value: /var/lib/warren/recordings }
{{- end }}
{{- with .s3 }}
{{- if .bucket }}
- { name: RECORDINGS_BUCKET, value: {{ .bucket | quote }} }
- { name: RECORDINGS_REGION, value: {{ .region | quote }} }
- { name: RECORDINGS_PATH_STYLE, value: {{ ternary "Yes" "No" .pathStyle | quote }} }
{{- with .endpoint }}
- { name: RECORDINGS_ENDPOINT, value: {{ . | quote }} }
{{- end }}
{{- with .prefix }}
- { name: RECORDINGS_PREFIX, value: {{ . | quote }} }
{{- end }}
{{- with .existingSecret }}
- name: RECORDINGS_ACCESS_KEY
  valueFrom: { secretKeyRef: { name: {{ . | quote }}, key: access-key-id } }
- name: RECORDINGS_SECRET_KEY
  valueFrom: { secretKeyRef: { name: {{ . | quote }}, key: secret-access-key } }
{{- end }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}
{{- if eq .component "tunnels" }}
- { name: PORT, value: '9090' }
- name: POD_IP
  valueFrom: { fieldRef: { fieldPath: status.podIP } }
- { name: ADVERTISED_URL, value: 'http://$(POD_IP):9090' }
- { name: MAX_LINKS, value: {{ int64 $v.tunnels.maxLinks | quote }} }
- { name: MAX_SOCKETS, value: {{ int64 $v.tunnels.maxSockets | quote }} }
- { name: MAX_DEVICE_STREAMS, value: {{ int64 $v.tunnels.limits.deviceStreams | quote }} }
- { name: MAX_ACCOUNT_STREAMS, value: {{ int64 $v.tunnels.limits.accountStreams | quote }} }
- { name: MAX_DEVICE_BUFFER, value: {{ int64 $v.tunnels.limits.deviceBuffer | quote }} }
- { name: MAX_ACCOUNT_BUFFER, value: {{ int64 $v.tunnels.limits.accountBuffer | quote }} }
- { name: MAX_DEVICE_FRAMES, value: {{ int64 $v.tunnels.limits.deviceFrames | quote }} }
- { name: MAX_ACCOUNT_FRAMES, value: {{ int64 $v.tunnels.limits.accountFrames | quote }} }
{{- end }}
{{- with (include "warren.settings" . | fromYaml).extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* Takes {of: the values, test: whether that of `helm test` is among them}. */}}
{{- define "warren.samlProviders" -}}
{{- $providers := list -}}
{{- range .of.saml.providers -}}
{{- $path := ternary .metadata (printf "/etc/warren/saml/%s" .metadata) (or (hasPrefix "http" .metadata) (hasPrefix "/" .metadata)) -}}
{{- $providers = append $providers (merge (dict "metadata" $path) .) -}}
{{- end -}}
{{- if .test -}}
{{- $providers = append $providers (dict "id" "installation-test" "name" "Installation test" "metadata" "/etc/warren/test-identity/metadata.xml" "domains" (list "installation-test.invalid") "listed" false) -}}
{{- end -}}
{{- if $providers }}{{ toJson $providers }}{{ end -}}
{{- end -}}

{{/* Takes the values. */}}
{{- define "warren.oidcProviders" -}}
{{- $providers := list -}}
{{- range .oidc.providers -}}
{{- $secret := ternary (dict "clientSecretFile" (printf "/etc/warren/oidc/%s" (default "" .clientSecretKey))) dict (hasKey . "clientSecretKey") -}}
{{- $providers = append $providers (merge $secret (omit . "clientSecretKey")) -}}
{{- end -}}
{{- if $providers }}{{ toJson $providers }}{{ end -}}
{{- end -}}

{{- define "warren.env.nats" -}}
{{- $nats := .root.Values.nats -}}
{{- $secret := ternary (include "warren.bundledSecret" .root) $nats.existingSecret $nats.bundled -}}
- { name: NATS_URL, value: {{ ternary (printf "nats://%s-nats:4222" (include "warren.fullname" .root)) $nats.url $nats.bundled | quote }} }
- { name: NATS_USER, value: {{ .component }} }
- name: NATS_PASSWORD
  valueFrom: { secretKeyRef: { name: {{ $secret | quote }}, key: {{ ternary (printf "nats-%s" .component) .component $nats.bundled }} } }
{{- if $nats.caSecret }}
- { name: NATS_CA_FILE, value: /etc/warren/nats-ca/ca.crt }
{{- end }}
{{- if $nats.clientSecret }}
- { name: NATS_CERT_FILE, value: /etc/warren/nats-client/tls.crt }
- { name: NATS_KEY_FILE, value: /etc/warren/nats-client/tls.key }
{{- end }}
{{- end -}}

{{- define "warren.env.redis" -}}
{{- $redis := .root.Values.redis -}}
- { name: REDIS_URL, value: {{ ternary (printf "redis://%s-redis:6379" (include "warren.fullname" .root)) $redis.url $redis.bundled | quote }} }
{{- if ne $redis.mode "standalone" }}
- { name: REDIS_MODE, value: {{ $redis.mode }} }
{{- end }}
{{- with $redis.nodes }}
- { name: REDIS_NODES, value: {{ join "," . | quote }} }
{{- end }}
{{- $each := or $redis.bundled $redis.userPerService }}
{{- with ternary .component $redis.user $each }}
- { name: REDIS_USER, value: {{ . | quote }} }
{{- end }}
{{- if or $redis.bundled $redis.existingSecret }}
- name: REDIS_PASSWORD
  valueFrom: { secretKeyRef: { name: {{ ternary (include "warren.bundledSecret" .root) $redis.existingSecret $redis.bundled | quote }}, key: {{ ternary (printf "redis-%s" .component) "redis-password" $each }} } }
{{- end }}
{{- if $redis.sentinelPassword }}
- name: REDIS_SENTINEL_PASSWORD
  valueFrom: { secretKeyRef: { name: {{ $redis.existingSecret | quote }}, key: sentinel-password } }
{{- end }}
{{- if $redis.caSecret }}
- { name: REDIS_CA_FILE, value: /etc/warren/redis-ca/ca.crt }
{{- end }}
{{- end -}}

{{/* The keys of calls between services. Takes {root, component}. */}}
{{- define "warren.env.callers" -}}
{{- $secret := .root.Values.callers.existingSecret | default (ternary (include "warren.bundledSecret" .root) "" .root.Values.nats.bundled) -}}
{{- $prefix := ternary "" "caller-" (not (empty .root.Values.callers.existingSecret)) -}}
{{- with $secret }}
- name: CALLER_KEY
  valueFrom: { secretKeyRef: { name: {{ . | quote }}, key: {{ $prefix }}{{ $.component }} } }
- name: CALLER_KEYS
  valueFrom: { secretKeyRef: { name: {{ . | quote }}, key: {{ $prefix }}keys } }
{{- $identity := eq $.component "identity" }}
{{- range ternary (list "UNSIGNED_CALLS" "UNSEALED_SESSIONS") (list "UNSIGNED_CALLS") $identity }}
{{- if and $prefix (not $.root.Values.callers.acceptUnsigned) }}
# Bundled keys: what added them knows whether pods before them are there.
- name: {{ . }}
  valueFrom: { secretKeyRef: { name: {{ $secret | quote }}, key: unsigned-calls } }
{{- else }}
- { name: {{ . }}, value: {{ ternary "accept" "refuse" $.root.Values.callers.acceptUnsigned }} }
{{- end }}
{{- end }}
{{- if $identity }}
- name: SESSION_KEY
  valueFrom: { secretKeyRef: { name: {{ . | quote }}, key: session-key } }
{{- end }}
{{- if has $.component (list "fleet" "audit") }}
# A Secret of an operator may lack it: then channels have no URLs, and there are no audit streams.
- name: CHANNEL_KEY
  valueFrom: { secretKeyRef: { name: {{ . | quote }}, key: channel-key, optional: true } }
{{- end }}
{{- if eq $.component "audit" }}
# A Secret of an operator may lack it: then the trail is chained and not signed.
- name: AUDIT_KEY
  valueFrom: { secretKeyRef: { name: {{ . | quote }}, key: audit-key, optional: true } }
{{- end }}
{{- end }}
{{- end -}}

{{- define "warren.postgresqlSecret" -}}
{{- ternary (include "warren.bundledSecret" .) .Values.postgresql.existingSecret .Values.postgresql.bundled -}}
{{- end -}}

{{/* The address of each service that has a schema, for who looks at all of them. */}}
{{- define "warren.env.databases" -}}
{{- range list "identity" "tenancy" "devices" "fleet" "audit" }}
- name: {{ upper . }}_DATABASE_URL
  valueFrom: { secretKeyRef: { name: {{ include "warren.postgresqlSecret" $ | quote }}, key: {{ . }}-url } }
{{- end }}
{{- end -}}

{{- define "warren.env.postgresql" -}}
{{- $pg := .root.Values.postgresql -}}
- name: DATABASE_URL
  valueFrom: { secretKeyRef: { name: {{ include "warren.postgresqlSecret" .root | quote }}, key: {{ .component }}-url } }
- { name: DATABASE_POOL, value: {{ $pg.pool | quote }} }
{{- if $pg.caSecret }}
- { name: DATABASE_CA_FILE, value: /etc/warren/postgresql-ca/ca.crt }
{{- end }}
{{- end -}}

{{/* Volumes and their mounts of one service, as {volumes, mounts}. Takes {root, component}. */}}
{{- define "warren.volumes" -}}
{{- $v := .root.Values -}}
{{- $secrets := list -}}
{{- $secrets = append $secrets (dict "name" "redis-ca" "secret" $v.redis.caSecret "for" (list "gateway" "identity" "tenancy" "devices" "fleet" "audit" "tunnels" "doctor")) -}}
{{- $secrets = append $secrets (dict "name" "nats-ca" "secret" $v.nats.caSecret "for" (list "gateway" "identity" "tenancy" "devices" "fleet" "audit" "tunnels" "doctor")) -}}
{{- $secrets = append $secrets (dict "name" "nats-client" "secret" $v.nats.clientSecret "for" (list "gateway" "identity" "tenancy" "devices" "fleet" "audit" "tunnels" "doctor")) -}}
{{- $secrets = append $secrets (dict "name" "postgresql-ca" "secret" $v.postgresql.caSecret "for" (list "identity" "tenancy" "devices" "fleet" "audit" "migrate" "test" "doctor")) -}}
{{- $secrets = append $secrets (dict "name" "saml-signing" "secret" $v.saml.signingSecret "for" (list "gateway")) -}}
{{- $secrets = append $secrets (dict "name" "saml-decryption" "secret" $v.saml.decryptionSecret "for" (list "gateway")) -}}
{{- $secrets = append $secrets (dict "name" "oidc" "secret" $v.oidc.clientSecrets "for" (list "gateway")) -}}
{{- $secrets = append $secrets (dict "name" "hub-ca" "secret" $v.doctor.caSecret "for" (list "doctor")) -}}
{{- $volumes := list (dict "name" "tmp" "emptyDir" (dict "sizeLimit" "64Mi")) -}}
{{- $mounts := list (dict "name" "tmp" "mountPath" "/tmp") -}}
{{- range $secrets -}}
{{- if and .secret (has $.component .for) -}}
{{- $volumes = append $volumes (dict "name" .name "secret" (dict "secretName" .secret "defaultMode" 288)) -}}
{{- $mounts = append $mounts (dict "name" .name "mountPath" (printf "/etc/warren/%s" .name) "readOnly" true) -}}
{{- end -}}
{{- end -}}
{{- if and (has .component (list "gateway" "doctor")) $v.saml.metadataConfigMap -}}
{{- $volumes = append $volumes (dict "name" "saml" "configMap" (dict "name" $v.saml.metadataConfigMap)) -}}
{{- $mounts = append $mounts (dict "name" "saml" "mountPath" "/etc/warren/saml" "readOnly" true) -}}
{{- end -}}
{{- if and (eq .component "gateway") $v.gateway.packages.enabled -}}
{{- $volumes = append $volumes (dict "name" "packages" "emptyDir" (dict "sizeLimit" "512Mi")) -}}
{{- $mounts = append $mounts (dict "name" "packages" "mountPath" "/app/agent/dist/packages" "readOnly" true) -}}
{{- end -}}
{{- if and (eq .component "audit") $v.audit.filesClaim -}}
{{- $volumes = append $volumes (dict "name" "files" "persistentVolumeClaim" (dict "claimName" $v.audit.filesClaim)) -}}
{{- $mounts = append $mounts (dict "name" "files" "mountPath" "/var/lib/warren/audit") -}}
{{- end -}}
{{- if and (eq .component "audit") $v.audit.recordings.claim -}}
{{- $volumes = append $volumes (dict "name" "recordings" "persistentVolumeClaim" (dict "claimName" $v.audit.recordings.claim)) -}}
{{- $mounts = append $mounts (dict "name" "recordings" "mountPath" "/var/lib/warren/recordings") -}}
{{- end -}}
{{- if and .root.Values.tests.identity.enabled (has .component (list "gateway" "test")) -}}
{{- /* The gateway gets what it believes; the key is the test's alone. */ -}}
{{- $items := ternary (list "metadata.xml") (list "tls.key" "tls.crt") (eq .component "gateway") -}}
{{- $paths := list -}}
{{- range $items }}{{ $paths = append $paths (dict "key" . "path" .) }}{{ end -}}
{{- $volumes = append $volumes (dict "name" "test-identity" "secret" (dict "secretName" (include "warren.testIdentitySecret" .root) "defaultMode" 288 "items" $paths)) -}}
{{- $mounts = append $mounts (dict "name" "test-identity" "mountPath" "/etc/warren/test-identity" "readOnly" true) -}}
{{- end -}}
{{- $settings := include "warren.settings" . | fromYaml -}}
{{- toYaml (dict "volumes" (concat $volumes $settings.extraVolumes) "mounts" (concat $mounts $settings.extraVolumeMounts)) -}}
{{- end -}}
