{{/* Where pods go. Takes {root, component}. */}}
{{- define "warren.scheduling" -}}
{{- $settings := include "warren.settings" . | fromYaml -}}
{{- $service := has .component (splitList "," (include "warren.services" .root)) -}}
{{- with $settings.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $settings.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- $affinity := ternary (include "warren.affinity" . | fromYaml) $settings.affinity $service -}}
{{- with $affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $settings.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with ternary (include "warren.spread" . | fromYamlArray) list $service }}
topologySpreadConstraints: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/*
A service's affinity. Zones that are preferred stand here: with a spread constraint by zone the scheduler ignores nodes without that label
when it ranks them, and would not spread over nodes either. Takes {root, component}.
*/}}
{{- define "warren.affinity" -}}
{{- $settings := include "warren.settings" . | fromYaml -}}
{{- $affinity := $settings.affinity | default dict -}}
{{- if and (eq $settings.spread.zones "ScheduleAnyway") (not $settings.topologySpreadConstraints) -}}
{{- $away := get $affinity "podAntiAffinity" | default dict -}}
{{- $term := dict "topologyKey" "topology.kubernetes.io/zone" "labelSelector" (dict "matchLabels" (include "warren.selector" . | fromYaml)) -}}
{{- $preferred := get $away "preferredDuringSchedulingIgnoredDuringExecution" | default list -}}
{{- $_ := set $away "preferredDuringSchedulingIgnoredDuringExecution" (append $preferred (dict "weight" 100 "podAffinityTerm" $term)) -}}
{{- $_ := set $affinity "podAntiAffinity" $away -}}
{{- end -}}
{{- toYaml $affinity -}}
{{- end -}}

{{/* A service's topology spread constraints, as a list. Takes {root, component}. */}}
{{- define "warren.spread" -}}
{{- $settings := include "warren.settings" . | fromYaml -}}
{{- $selector := dict "matchLabels" (include "warren.selector" . | fromYaml) -}}
{{- /* Counts the pods of one version, so that an upgrade spreads the new ones among themselves, and no node that is drained or lost. */ -}}
{{- $counted := dict "labelSelector" $selector "matchLabelKeys" (list "pod-template-hash") "nodeTaintsPolicy" "Honor" -}}
{{- $constraints := list -}}
{{- range $settings.topologySpreadConstraints -}}
{{- $constraints = append $constraints (ternary . (merge (deepCopy $counted) .) (hasKey . "labelSelector")) -}}
{{- end -}}
{{- if not $settings.topologySpreadConstraints -}}
{{- if ne $settings.spread.nodes "none" -}}
{{- $constraints = append $constraints (merge (dict "maxSkew" 1 "topologyKey" "kubernetes.io/hostname" "whenUnsatisfiable" $settings.spread.nodes) $counted) -}}
{{- end -}}
{{- if eq $settings.spread.zones "DoNotSchedule" -}}
{{- $constraints = append $constraints (merge (dict "maxSkew" 1 "topologyKey" "topology.kubernetes.io/zone" "whenUnsatisfiable" "DoNotSchedule") $counted) -}}
{{- end -}}
{{- end -}}
{{- toYaml $constraints -}}
{{- end -}}
