{{/* One pod with its own disk. Takes {root, component, user, port, mount, container}; `container` is YAML. */}}
{{- define "warren.bundledServer" -}}
{{- $at := . -}}
{{- $full := include "warren.fullname" .root -}}
{{- $server := index .root.Values .component -}}
apiVersion: v1
kind: Service
metadata:
  name: {{ $full }}-{{ .component }}
  labels: {{- include "warren.labels" $at | nindent 4 }}
spec:
  selector: {{- include "warren.selector" $at | nindent 4 }}
  ports: [{ name: {{ .component }}, port: {{ .port }}, targetPort: {{ .port }} }]
---
apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: {{ $full }}-{{ .component }}
  labels: {{- include "warren.labels" $at | nindent 4 }}
spec:
  replicas: 1
  serviceName: {{ $full }}-{{ .component }}
  selector:
    matchLabels: {{- include "warren.selector" $at | nindent 6 }}
  template:
    metadata:
      # No version: another one of Warren must not restart what all its services stand on while they are replaced.
      labels:
        {{- include "warren.selector" $at | nindent 8 }}
        {{- with .root.Values.commonLabels }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      {{- with .checksum }}
      annotations: { checksum/configuration: {{ . }} }
      {{- end }}
    spec:
      terminationGracePeriodSeconds: 60
      {{- include "warren.pod" $at | nindent 6 }}
      containers:
        - name: {{ .component }}
          image: {{ include "warren.otherImage" (dict "root" .root "image" $server.image) | quote }}
          imagePullPolicy: {{ .root.Values.image.pullPolicy }}
          securityContext: {{- include "warren.containerSecurity" $at | nindent 12 }}
          resources: {{- toYaml $server.resources | nindent 12 }}
          ports: [{ name: {{ .component }}, containerPort: {{ .port }} }]
          {{- .container | nindent 10 }}
      volumes:
        - { name: tmp, emptyDir: {} }
        {{- with .configMap }}
        - { name: configuration, configMap: { name: {{ . }} } }
        {{- end }}
  volumeClaimTemplates:
    - metadata: { name: data }
      spec:
        accessModes: [ReadWriteOnce]
        {{- with $server.storageClass | default .root.Values.global.storageClass }}
        storageClassName: {{ ternary "" . (eq . "-") | quote }}
        {{- end }}
        resources: { requests: { storage: {{ $server.storage }} } }
{{- end -}}
