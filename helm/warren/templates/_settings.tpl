{{/* Two maps as YAML, the second over the first; `null` in it removes a key. Takes [first, second]. */}}
{{- define "warren.merged" -}}
{{- $merged := deepCopy (index . 0) -}}
{{- range $key, $value := index . 1 -}}
{{- $former := get $merged $key -}}
{{- if kindIs "invalid" $value -}}
{{- $_ := unset $merged $key -}}
{{- else if and (kindIs "map" $value) (kindIs "map" $former) -}}
{{- $_ := set $merged $key (include "warren.merged" (list $former $value) | fromYaml) -}}
{{- else -}}
{{- $_ := set $merged $key $value -}}
{{- end -}}
{{- end -}}
{{- toYaml $merged -}}
{{- end -}}

{{/* A component's own section of the values, as YAML. Takes {root, component}. */}}
{{- define "warren.section" -}}
{{- $v := .root.Values -}}
{{- $elsewhere := dict "migrate" $v.migrations "test" $v.tests "packages" $v.gateway.packages -}}
{{- $own := dict -}}
{{- range $key, $value := get $elsewhere .component | default (index $v .component) -}}
{{- /* null is for the default. */ -}}
{{- if not (kindIs "invalid" $value) }}{{ $_ := set $own $key $value }}{{ end -}}
{{- end -}}
{{- toYaml $own -}}
{{- end -}}

{{/*
The settings of a component as YAML: its own over those of `defaults`. Maps are merged and lists whose names begin with `extra` appended;
all else replaces the default. Takes {root, component}.
*/}}
{{- define "warren.settings" -}}
{{- $own := include "warren.section" . | fromYaml -}}
{{- $defaults := .root.Values.defaults -}}
{{- if has .component (list "postgresql" "redis" "nats") -}}
{{- /* These images have their own users and accounts. */ -}}
{{- $defaults = omit $defaults "image" "podSecurityContext" "containerSecurityContext" "serviceAccountName" -}}
{{- end -}}
{{- /* An image given as a whole, which warren.otherImage reads. */ -}}
{{- if kindIs "string" $own.image }}{{ $own = omit $own "image" }}{{ end -}}
{{- range $key := list "nodeSelector" "affinity" "dnsConfig" -}}
{{- if hasKey $own $key }}{{ $defaults = omit $defaults $key }}{{ end -}}
{{- end -}}
{{- range $key, $value := $own -}}
{{- if and (hasPrefix "extra" $key) (kindIs "slice" $value) -}}
{{- $_ := set $own $key (concat (get $defaults $key | default list) $value) -}}
{{- end -}}
{{- end -}}
{{- include "warren.merged" (list $defaults $own) -}}
{{- end -}}
