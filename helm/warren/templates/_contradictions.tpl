{{/* Values that can't work, said before anything is installed. */}}
{{- define "warren.check" -}}
{{- $v := .Values -}}
{{- if not (and $v.hub.host $v.hub.deviceDomain $v.hub.operatorEmail) -}}
{{- fail "hub.host, hub.deviceDomain and hub.operatorEmail: expected all three, such as hub.example.com, devices.example.com and you@example.com." -}}
{{- end -}}
{{- if or (contains "/" $v.hub.host) (contains ":" $v.hub.host) -}}
{{- fail (printf "hub.host: expected a host name alone (came: %s)." $v.hub.host) -}}
{{- end -}}
{{- if or (eq $v.hub.host $v.hub.deviceDomain) (hasSuffix (printf ".%s" $v.hub.deviceDomain) $v.hub.host) -}}
{{- fail (printf "hub.deviceDomain: expected a domain that the hub's own host is not in, or device pages would get its cookies (came: %s, and the hub is %s)." $v.hub.deviceDomain $v.hub.host) -}}
{{- end -}}
{{- include "warren.checkProviders" . -}}
{{- if not $v.mail.existingSecret -}}
{{- fail "mail.existingSecret: expected a Secret with the mail server's address; invitations go by mail." -}}
{{- end -}}
{{- range $name := list "postgresql" "redis" "nats" -}}
{{- $server := index $v $name -}}
{{- $given := or $server.existingSecret (get $server "url") -}}
{{- if and $server.bundled $given -}}
{{- fail (printf "%s.bundled: expected neither an address nor a Secret of another server beside it." $name) -}}
{{- end -}}
{{- if not (or $server.bundled $given) -}}
{{- fail (printf "%s: expected a server of yours by %s, or %s.bundled=true for trying out." $name (ternary "existingSecret" "url and existingSecret" (eq $name "postgresql")) $name) -}}
{{- end -}}
{{- if and $server.bundled $server.caSecret -}}
{{- fail (printf "%s.caSecret: expected nothing with %s.bundled, which speaks plain text inside the cluster." $name $name) -}}
{{- end -}}
{{- end -}}
{{- with $v.audit.recordings -}}
{{- if and .claim .s3.bucket -}}
{{- fail (printf "audit.recordings.claim: expected no claim beside audit.recordings.s3.bucket (came: %s)." .claim) -}}
{{- end -}}
{{- if and .s3.endpoint (not .s3.bucket) -}}
{{- fail "audit.recordings.s3.bucket: expected a bucket beside audit.recordings.s3.endpoint." -}}
{{- end -}}
{{- end -}}
{{- if and $v.postgresql.provision (not $v.postgresql.existingSecret) -}}
{{- fail "postgresql.provision: expected postgresql.existingSecret with the key admin-url." -}}
{{- end -}}
{{- with $v.redis -}}
{{- if and (not .bundled) (not .url) -}}
{{- fail "redis.url: expected redis://host:port or rediss://host:port beside redis.existingSecret." -}}
{{- end -}}
{{- if and (eq .mode "sentinel") (not .nodes) -}}
{{- fail "redis.nodes: expected the sentinels as host:port while redis.mode is sentinel." -}}
{{- end -}}
{{- if and (eq .mode "standalone") .nodes -}}
{{- fail "redis.nodes: expected nothing while redis.mode is standalone." -}}
{{- end -}}
{{- if and .bundled (ne .mode "standalone") -}}
{{- fail "redis.mode: expected standalone with redis.bundled." -}}
{{- end -}}
{{- if and .caSecret (not (hasPrefix "rediss://" .url)) -}}
{{- fail "redis.caSecret: expected redis.url to begin with rediss://." -}}
{{- end -}}
{{- if and .sentinelPassword (not .existingSecret) -}}
{{- fail "redis.sentinelPassword: expected redis.existingSecret with the key sentinel-password." -}}
{{- end -}}
{{- end -}}
{{- with $v.nats -}}
{{- if and (not .bundled) (not (and .url .existingSecret)) -}}
{{- fail "nats: expected url and existingSecret, the passwords of the services' users." -}}
{{- end -}}
{{- if and (or .caSecret .clientSecret) (not (hasPrefix "tls://" .url)) -}}
{{- fail "nats.caSecret, nats.clientSecret: expected nats.url to begin with tls://." -}}
{{- end -}}
{{- end -}}
{{- with $v.fleet.remoteWrite -}}
{{- if and (not .url) (or .user .existingSecret) -}}
{{- fail "fleet.remoteWrite.url: expected the receiver's address beside its credentials." -}}
{{- end -}}
{{- if and .user (not .existingSecret) -}}
{{- fail "fleet.remoteWrite.existingSecret: expected the Secret with the password of fleet.remoteWrite.user." -}}
{{- end -}}
{{- end -}}
{{- if and $v.ingress.enabled $v.gatewayApi.enabled -}}
{{- fail "ingress.enabled and gatewayApi.enabled: expected one of them, as both would answer for the same hosts." -}}
{{- end -}}
{{- if and $v.gatewayApi.enabled (not $v.gatewayApi.parentRefs) -}}
{{- fail "gatewayApi.parentRefs: expected the Gateway that the routes belong to." -}}
{{- end -}}
{{- with $v.defaults.image -}}
{{- if or .digest .repository -}}
{{- fail (printf "defaults.image: expected no digest and no repository, as each service has its own image; set tunnels.image and so on (came: %s)." (.digest | default .repository)) -}}
{{- end -}}
{{- end -}}
{{- with $v.doctor.schedule -}}
{{- include "warren.checkSchedule" (dict "name" "doctor.schedule" "value" .) -}}
{{- end -}}
{{- range $name := splitList "," (include "warren.services" .) -}}
{{- include "warren.checkService" (dict "root" $ "component" $name) -}}
{{- end -}}
{{- end -}}

{{/* Identity providers that the gateway would refuse. */}}
{{- define "warren.checkProviders" -}}
{{- $v := .Values -}}
{{- $gateway := include "warren.settings" (dict "root" . "component" "gateway") | fromYaml -}}
{{- $all := concat $v.saml.providers $v.oidc.providers -}}
{{- if not $all -}}
{{- fail "saml.providers: expected one identity provider at least, {id, name, metadata}, here or in oidc.providers." -}}
{{- end -}}
{{- $several := or (gt (len $all) 1) $v.tests.identity.enabled -}}
{{- $spoken := list -}}
{{- $ids := list -}}
{{- $listed := false -}}
{{- range $all -}}
{{- $of := ternary "oidc.providers" "saml.providers" (hasKey . "issuer") -}}
{{- if and $several (not .domains) -}}
{{- fail (printf "%s: expected domains of e-mail addresses for each of several providers, that of tests.identity counted (came: none for %s)." $of .id) -}}
{{- end -}}
{{- range (uniq (default list .domains)) -}}
{{- if has (lower .) $spoken -}}
{{- fail (printf "%s: expected domains that one provider alone speaks for (came: %s twice)." $of (lower .)) -}}
{{- end -}}
{{- $spoken = append $spoken (lower .) -}}
{{- end -}}
{{- if has .id $ids -}}
{{- fail (printf "%s: expected ids that differ, such as staff and guests (came: %s twice)." $of .id) -}}
{{- end -}}
{{- $ids = append $ids .id -}}
{{- if ne (toString .listed) "false" }}{{ $listed = true }}{{ end -}}
{{- if eq .id "installation-test" -}}
{{- fail (printf "%s: expected another id than installation-test, which is that of tests.identity." $of) -}}
{{- end -}}
{{- end -}}
{{- range $v.saml.providers -}}
{{- if and (not (hasPrefix "http" .metadata)) (not $v.saml.metadataConfigMap) (not $gateway.extraVolumeMounts) -}}
{{- fail (printf "saml.metadataConfigMap: expected the ConfigMap that brings the file %s of saml.providers." .metadata) -}}
{{- end -}}
{{- end -}}
{{- range $v.oidc.providers -}}
{{- if and .clientSecretKey (not $v.oidc.clientSecrets) -}}
{{- fail (printf "oidc.clientSecrets: expected the Secret that has the key %s of oidc.providers." .clientSecretKey) -}}
{{- end -}}
{{- if and (eq (toString .emailVerified) "assumed") (not .domains) -}}
{{- fail (printf "oidc.providers: expected domains where emailVerified is assumed (came: none for %s)." .id) -}}
{{- end -}}
{{- if and .emailClaim (ne (toString .emailClaim) "email") (ne (toString .emailVerified) "assumed") -}}
{{- fail (printf "oidc.providers: expected emailVerified to be assumed where emailClaim is not email (came: %s for %s)." .emailClaim .id) -}}
{{- end -}}
{{- end -}}
{{- if not $listed -}}
{{- fail "saml.providers: expected one at least that people are offered, here or in oidc.providers (came: listed: false for all)." -}}
{{- end -}}
{{- end -}}

{{/* Takes {root, component}. */}}
{{- define "warren.checkService" -}}
{{- $name := .component -}}
{{- $own := include "warren.section" . | fromYaml -}}
{{- $settings := include "warren.settings" . | fromYaml -}}
{{- $scale := $settings.autoscaling -}}
{{- if and $scale.enabled (hasKey $own "replicas") -}}
{{- fail (printf "%s.replicas: expected none while %s.autoscaling is enabled (minReplicas and maxReplicas hold)." $name $name) -}}
{{- end -}}
{{- if gt (int $scale.minReplicas) (int $scale.maxReplicas) -}}
{{- fail (printf "%s.autoscaling.minReplicas: expected at most maxReplicas (came: %v and %v)." $name $scale.minReplicas $scale.maxReplicas) -}}
{{- end -}}
{{- $grace := int (add $settings.preStopSeconds 30) -}}
{{- if lt (int $settings.terminationGracePeriodSeconds) $grace -}}
{{- $where := ternary $name "defaults" (or (hasKey $own "preStopSeconds") (hasKey $own "terminationGracePeriodSeconds")) -}}
{{- fail (printf "%s.terminationGracePeriodSeconds: expected %d at least, preStopSeconds and the 30 s that handing over may take (came: %v)." $where $grace $settings.terminationGracePeriodSeconds) -}}
{{- end -}}
{{- if $scale.enabled }}{{ include "warren.checkScaling" (dict "root" .root "name" $name "settings" $settings) }}{{ end -}}
{{- $fewest := ternary $scale.minReplicas $settings.replicas $scale.enabled | int -}}
{{- with .root.Values.podDisruptionBudget -}}
{{- $stay := toString .minAvailable -}}
{{- $blocks := or (eq $stay "100%") (and (regexMatch "^[0-9]+$" $stay) (ge (int $stay) $fewest)) -}}
{{- if and .enabled $blocks (gt $fewest 1) -}}
{{- fail (printf "podDisruptionBudget.minAvailable: expected less than the pods of %s, %d, or no node that has one could be drained (came: %s)." $name $fewest $stay) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* Takes {root, name, settings} of a service that scales. */}}
{{- define "warren.checkScaling" -}}
{{- $scale := .settings.autoscaling -}}
{{- if not $scale.keda.enabled -}}
{{- if not (include "warren.hpaMetrics" .settings | fromYamlArray) -}}
{{- fail (printf "%s.autoscaling: expected targetCpu, targetMemory or metrics (came: none)." .name) -}}
{{- end -}}
{{- else if and (get $scale "agentsPerPod") (not $scale.keda.prometheusUrl) -}}
{{- fail (printf "%s.autoscaling.keda.prometheusUrl: expected the address of a Prometheus beside agentsPerPod, such as http://prometheus.monitoring:9090 (came: none)." .name) -}}
{{- else if not (include "warren.kedaTriggers" . | fromYamlArray) -}}
{{- fail (printf "%s.autoscaling: expected targetCpu, targetMemory or keda.triggers (came: none)." .name) -}}
{{- end -}}
{{- end -}}
