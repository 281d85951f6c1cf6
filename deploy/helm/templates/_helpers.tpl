{{/* The name of the application: part of every label. */}}
{{- define "sluice.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{/* The name of the objects. 63 characters are allowed, and the longest suffix has 12. */}}
{{- define "sluice.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 51 | trimSuffix "-" -}}
{{- else if contains (include "sluice.name" .) .Release.Name -}}
{{- .Release.Name | trunc 51 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name (include "sluice.name" .) | trunc 51 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{/* What selects the pods. It must never change: the selector of a deployment cannot be updated. */}}
{{- define "sluice.selector" -}}
app.kubernetes.io/name: {{ include "sluice.name" . | quote }}
app.kubernetes.io/instance: {{ .Release.Name | quote }}
{{- end -}}

{{- define "sluice.labels" -}}
{{ include "sluice.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end -}}

{{- define "sluice.usesRedis" -}}
{{- if eq .Values.store "redis" }}true{{ end -}}
{{- end -}}

{{- define "sluice.scales" -}}
{{- if and (include "sluice.usesRedis" .) .Values.autoscaling.enabled }}true{{ end -}}
{{- end -}}

{{- define "sluice.credentials" -}}
{{ include "sluice.fullname" . }}-credentials
{{- end -}}

{{- define "sluice.createsRedis" -}}
{{- if and (include "sluice.usesRedis" .) .Values.redis.uri }}true{{ end -}}
{{- end -}}

{{- define "sluice.createsToken" -}}
{{- if or .Values.adminToken.token (not .Values.adminToken.existingSecret.name) }}true{{ end -}}
{{- end -}}

{{/* The reference to the URI of Redis. */}}
{{- define "sluice.redisRef" -}}
{{- if .Values.redis.uri -}}
{ name: {{ include "sluice.credentials" . | quote }}, key: redis }
{{- else if .Values.redis.existingSecret.name -}}
{ name: {{ .Values.redis.existingSecret.name | quote }}, key: {{ .Values.redis.existingSecret.key | quote }} }
{{- else -}}
{{- fail "store: redis needs the URI of Redis (expected: redis.uri or redis.existingSecret.name; or store: memory, which counts in one process)" -}}
{{- end -}}
{{- end -}}

{{/* The reference to the admin token. */}}
{{- define "sluice.tokenRef" -}}
{{- if include "sluice.createsToken" . -}}
{ name: {{ include "sluice.credentials" . | quote }}, key: admin-token }
{{- else -}}
{ name: {{ .Values.adminToken.existingSecret.name | quote }}, key: {{ .Values.adminToken.existingSecret.key | quote }} }
{{- end -}}
{{- end -}}

{{- define "sluice.policies" -}}
{{- default (printf "%s-policies" (include "sluice.fullname" .)) .Values.existingPolicies -}}
{{- end -}}

{{/* A quantity of memory in whole mebibytes; empty if it has another unit. */}}
{{- define "sluice.mebibytes" -}}
{{- $text := toString . -}}
{{- if regexMatch "^[0-9]+Gi$" $text -}}{{- mul 1024 (trimSuffix "Gi" $text | atoi) -}}
{{- else if regexMatch "^[0-9]+Mi$" $text -}}{{- trimSuffix "Mi" $text | atoi -}}
{{- else if regexMatch "^[0-9]+Ki$" $text -}}{{- div (trimSuffix "Ki" $text | int64) 1024 -}}
{{- else if regexMatch "^[0-9]+G$" $text -}}{{- div (mul 1000000000 (trimSuffix "G" $text | int64)) 1048576 -}}
{{- else if regexMatch "^[0-9]+M$" $text -}}{{- div (mul 1000000 (trimSuffix "M" $text | int64)) 1048576 -}}
{{- else if regexMatch "^[0-9]+$" $text -}}{{- div (int64 $text) 1048576 -}}
{{- end -}}
{{- end -}}

{{/* Half of the limit is heap; 96 MiB of direct memory and 130 MiB for the rest of the JVM must fit into the other half. */}}
{{- define "sluice.checkMemory" -}}
{{- $limit := dig "limits" "memory" "" .Values.resources -}}
{{- if $limit -}}
{{- $mebibytes := include "sluice.mebibytes" $limit -}}
{{- if and $mebibytes (lt (int64 $mebibytes) 452) (not .Values.command) -}}
{{- fail (printf "resources.limits.memory: %s (expected: at least 452Mi, for heap, direct memory and the rest of the JVM: docs/guides/memory.md)" (toString $limit)) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* Settings that the chart decides itself. values.schema.json has the names of the others. */}}
{{- define "sluice.env" -}}
{{- if include "sluice.usesRedis" . }}
- name: SLUICE_REDIS
  valueFrom: { secretKeyRef: {{ include "sluice.redisRef" . }} }
{{- end }}
- name: SLUICE_ADMIN_TOKEN
  valueFrom: { secretKeyRef: {{ include "sluice.tokenRef" . }} }
{{- if not .Values.resp.enabled }}
- name: SLUICE_RESP_PORT
  value: "off"
{{- else if .Values.resp.passwordSecret.name }}
- name: SLUICE_RESP_PASSWORD
  valueFrom: { secretKeyRef: { name: {{ .Values.resp.passwordSecret.name | quote }}, key: {{ .Values.resp.passwordSecret.key | quote }} } }
{{- end }}
{{- if .Values.tls.existingSecret }}
- name: SLUICE_TLS_CERT
  value: /etc/sluice-tls/tls.crt
- name: SLUICE_TLS_KEY
  value: /etc/sluice-tls/tls.key
{{- end }}
{{- if and (not (include "sluice.usesRedis" .)) .Values.persistence.enabled }}
- name: SLUICE_DATA_DIR
  value: /var/lib/sluice/data
{{- end }}
{{- range $name, $value := .Values.settings }}
- name: {{ printf "SLUICE_%s" ($name | replace "-" "_" | upper) }}
  {{- if kindIs "slice" $value }}
  value: {{ join "," $value | quote }}
  {{- else if kindIs "float64" $value }}
  value: {{ $value | int64 | quote }}
  {{- else }}
  value: {{ $value | quote }}
  {{- end }}
{{- end }}
{{- with .Values.jvmOptions }}
- name: JDK_JAVA_OPTIONS
  value: {{ join " " . | quote }}
{{- end }}
{{- with .Values.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "sluice.scheme" -}}
{{- if .Values.tls.existingSecret }}, scheme: HTTPS{{ end -}}
{{- end -}}
