{{/* The port of an http address. */}}
{{- define "warren.portOf" -}}
{{- $host := (urlParse .).host -}}
{{- $usual := ternary "443" "80" (hasPrefix "https:" .) -}}
{{- regexFind ":[0-9]+$" $host | trimPrefix ":" | default $usual -}}
{{- end -}}
