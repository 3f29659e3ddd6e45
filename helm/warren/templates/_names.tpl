{{- define "warren.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 40 | trimSuffix "-" -}}
{{- else if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{/* What selects pods. Takes {root, component}. */}}
{{- define "warren.selector" -}}
app.kubernetes.io/name: warren
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{/* Labels of an object. Takes {root, component}. */}}
{{- define "warren.labels" -}}
{{ include "warren.selector" . }}
app.kubernetes.io/part-of: warren
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- with .root.Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "warren.services" -}}
gateway,identity,tenancy,devices,fleet,audit,tunnels
{{- end -}}

{{/* All who have a password on the message bus. */}}
{{- define "warren.busUsers" -}}
{{ include "warren.services" . }},doctor
{{- end -}}

{{/* Secret with the passwords of the bundled servers. */}}
{{- define "warren.bundledSecret" -}}
{{ include "warren.fullname" . }}-bundled
{{- end -}}

{{/* Secret with the key of the identity provider of `helm test`. */}}
{{- define "warren.testIdentitySecret" -}}
{{ include "warren.fullname" . }}-test-identity
{{- end -}}

{{- define "warren.hasBundled" -}}
{{ or .Values.postgresql.bundled .Values.redis.bundled .Values.nats.bundled }}
{{- end -}}

{{/* What creates Secrets: a hook of Helm and, as Argo CD reads these annotations, of PreSync. One weight for all: kinds are in order by themselves. */}}
{{- define "warren.secretsHook" -}}
helm.sh/hook: pre-install,pre-upgrade
helm.sh/hook-weight: '-5'
helm.sh/hook-delete-policy: before-hook-creation,hook-succeeded
{{- end -}}
