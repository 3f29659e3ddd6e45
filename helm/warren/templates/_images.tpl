{{/* The image of one of Warren's components. Takes {root, component}. */}}
{{- define "warren.image" -}}
{{- $own := (include "warren.settings" . | fromYaml).image | default dict -}}
{{- $all := .root.Values.image -}}
{{- with coalesce $own.registry $all.registry .root.Values.global.imageRegistry }}{{ . }}/{{ end -}}
{{- $own.repository | default (printf "%s/%s" $all.prefix .component) -}}
{{- if $own.digest }}@{{ $own.digest }}{{ else }}:{{ coalesce $own.tag $all.tag .root.Chart.AppVersion }}{{ end -}}
{{- end -}}

{{/* When nodes fetch it. Takes {root, component}. */}}
{{- define "warren.pullPolicy" -}}
{{- $own := (include "warren.settings" . | fromYaml).image | default dict -}}
{{- $own.pullPolicy | default .root.Values.image.pullPolicy -}}
{{- end -}}

{{/* An image given as a whole, from the global registry unless it names one. Takes {root, image}. */}}
{{- define "warren.otherImage" -}}
{{- $first := first (splitList "/" .image) -}}
{{- $named := and (contains "/" .image) (or (contains "." $first) (contains ":" $first) (eq $first "localhost")) -}}
{{- with ternary "" .root.Values.global.imageRegistry $named }}{{ . }}/{{ end }}{{ .image -}}
{{- end -}}
