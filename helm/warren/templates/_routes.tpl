{{/* Which host and paths go to which service, as {routes: [{name, host, paths, exact, service}]}. */}}
{{- define "warren.routes" -}}
{{- $hub := .Values.hub.host -}}
{{- $routes := list (dict "name" "hub" "host" $hub "paths" (list "/") "exact" false "service" "gateway") -}}
{{- if .Values.sockets.direct -}}
{{- /* What is below is asked of the gateway. */ -}}
{{- $routes = prepend $routes (dict "name" "sockets" "host" $hub "paths" (list "/socketsio" "/socketsio/") "exact" true "service" "tunnels") -}}
{{- end -}}
{{- if .Values.agents.direct -}}
{{- $routes = prepend $routes (dict "name" "agents" "host" $hub "paths" (list "/agent/connect") "exact" true "service" "tunnels") -}}
{{- end -}}
{{- $pages := ternary "tunnels" "gateway" .Values.devicePages.direct -}}
{{- $routes = append $routes (dict "name" "pages" "host" (printf "*.%s" .Values.hub.deviceDomain) "paths" (list "/") "exact" false "service" $pages) -}}
{{- toYaml (dict "routes" $routes) -}}
{{- end -}}

{{/* What controllers need for connections that stay open for days, and for uploads that nobody stores on the way. */}}
{{- define "warren.ingressAnnotations" -}}
{{- if eq . "nginx" -}}
nginx.ingress.kubernetes.io/proxy-body-size: '0'
nginx.ingress.kubernetes.io/proxy-buffering: 'off'
# The headers of an answer have to fit into it: the usual 4 kB are too little for some programs of devices.
nginx.ingress.kubernetes.io/proxy-buffer-size: 32k
nginx.ingress.kubernetes.io/proxy-request-buffering: 'off'
nginx.ingress.kubernetes.io/proxy-read-timeout: '3600'
nginx.ingress.kubernetes.io/proxy-send-timeout: '3600'
nginx.ingress.kubernetes.io/proxy-http-version: '1.1'
# Sent again is what no pod took, and what may arrive twice by its method: never a POST that a pod may have acted upon.
nginx.ingress.kubernetes.io/proxy-next-upstream: error timeout
{{- else if eq . "traefik" -}}
traefik.ingress.kubernetes.io/router.entrypoints: websecure
traefik.ingress.kubernetes.io/router.tls: 'true'
{{- end -}}
{{- end -}}
