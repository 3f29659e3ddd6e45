{{/* What all pods have. Takes {root, component}, and the user of an image that isn't Warren's. */}}
{{- define "warren.pod" -}}
{{- $settings := include "warren.settings" . | fromYaml -}}
{{- with include "warren.account" . }}
serviceAccountName: {{ . }}
{{- end }}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext: {{- include "warren.podSecurity" . | nindent 2 }}
{{- include "warren.scheduling" . }}
{{- with $settings.runtimeClassName }}
runtimeClassName: {{ . }}
{{- end }}
{{- with $settings.hostAliases }}
hostAliases: {{- toYaml . | nindent 2 }}
{{- end }}
{{- if ne $settings.dnsPolicy "ClusterFirst" }}
dnsPolicy: {{ $settings.dnsPolicy }}
{{- end }}
{{- with $settings.dnsConfig }}
dnsConfig: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with concat .root.Values.image.pullSecrets .root.Values.global.imagePullSecrets | uniq }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* The service account of pods: the Job that creates Secrets has one with rights, and each service one without. Takes {root, component}. */}}
{{- define "warren.account" -}}
{{- $full := include "warren.fullname" .root -}}
{{- if eq .component "secrets" -}}
{{- printf "%s-secrets" $full -}}
{{- else if has .component (splitList "," (include "warren.services" .root)) -}}
{{- (include "warren.settings" . | fromYaml).serviceAccountName | default (printf "%s-%s" $full .component) -}}
{{- else -}}
{{- (include "warren.settings" . | fromYaml).serviceAccountName -}}
{{- end -}}
{{- end -}}

{{/* Takes {root, component}, and the user of an image that isn't Warren's. */}}
{{- define "warren.podSecurity" -}}
{{- $user := .user | default 10001 -}}
{{- $standard := dict "runAsNonRoot" true "runAsUser" $user "runAsGroup" $user "fsGroup" $user "seccompProfile" (dict "type" "RuntimeDefault") -}}
{{- /* A disk that is ours already keeps the modes of its files: PostgreSQL refuses a folder that its group may write. */ -}}
{{- $_ := set $standard "fsGroupChangePolicy" "OnRootMismatch" -}}
{{- include "warren.merged" (list $standard ((include "warren.settings" . | fromYaml).podSecurityContext | default dict)) -}}
{{- end -}}

{{/* Takes {root, component}. */}}
{{- define "warren.containerSecurity" -}}
{{- $standard := dict "allowPrivilegeEscalation" false "readOnlyRootFilesystem" true "capabilities" (dict "drop" (list "ALL")) -}}
{{- include "warren.merged" (list $standard ((include "warren.settings" . | fromYaml).containerSecurityContext | default dict)) -}}
{{- end -}}
