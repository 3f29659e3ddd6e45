{{/* How an upgrade replaces pods. Takes a service's settings. */}}
{{- define "warren.strategy" -}}
{{- toYaml (ternary (dict "type" "Recreate") .strategy (eq (default "" .strategy.type) "Recreate")) -}}
{{- end -}}

{{/* Metrics of a HorizontalPodAutoscaler. Takes a service's settings. */}}
{{- define "warren.hpaMetrics" -}}
{{- $scale := .autoscaling -}}
{{- $metrics := list -}}
{{- if get $scale "agentsPerPod" -}}
{{- $target := dict "type" "AverageValue" "averageValue" (toString $scale.agentsPerPod) -}}
{{- $metrics = append $metrics (dict "type" "Pods" "pods" (dict "metric" (dict "name" $scale.metric) "target" $target)) -}}
{{- else -}}
{{- range $resource, $percent := dict "cpu" $scale.targetCpu "memory" $scale.targetMemory -}}
{{- if $percent -}}
{{- $target := dict "type" "Utilization" "averageUtilization" $percent -}}
{{- $metrics = append $metrics (dict "type" "Resource" "resource" (dict "name" $resource "target" $target)) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- toYaml (concat $metrics $scale.metrics) -}}
{{- end -}}

{{/* Triggers of a ScaledObject. Takes {root, settings}. */}}
{{- define "warren.kedaTriggers" -}}
{{- $scale := .settings.autoscaling -}}
{{- $triggers := list -}}
{{- if get $scale "agentsPerPod" -}}
{{- $query := printf "sum(%s{namespace=%q,release=%q})" $scale.metric .root.Release.Namespace .root.Release.Name -}}
{{- $metadata := dict "serverAddress" $scale.keda.prometheusUrl "query" $query "threshold" (toString $scale.agentsPerPod) -}}
{{- $triggers = append $triggers (dict "type" "prometheus" "metadata" $metadata) -}}
{{- else -}}
{{- range $resource, $percent := dict "cpu" $scale.targetCpu "memory" $scale.targetMemory -}}
{{- if $percent -}}
{{- $triggers = append $triggers (dict "type" $resource "metricType" "Utilization" "metadata" (dict "value" (toString $percent))) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- toYaml (concat $triggers $scale.keda.triggers) -}}
{{- end -}}
