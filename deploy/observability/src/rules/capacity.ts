import { COMPONENTS } from '../promql.ts';
import { INSTALLATION, type Alert, type Group } from './rule.ts';

const max = (series: string) => `max by (${INSTALLATION}) (${series})`;

const HPA = 'kube_horizontalpodautoscaler';
const SERVICE = COMPONENTS.join('|');

/** Autoscalers at their maximum, from kube-state-metrics, except those that can't scale. */
const AT_MAXIMUM = `${HPA}_status_current_replicas{horizontalpodautoscaler=~".+-(${SERVICE})"} >= ${HPA}_spec_max_replicas and ${HPA}_spec_max_replicas > ${HPA}_spec_min_replicas`;

/** Restricts autoscalers to existing installations. Only their names have the release: `{release}-{service}`, with `infix` between. */
function scaled(infix: string): string {
  const named = (label: string, part: number) =>
    `"${label}", "$${part}", "horizontalpodautoscaler", "(.+)${infix}-(${SERVICE})"`;
  return `label_replace(label_replace(${AT_MAXIMUM}, ${named('release', 1)}), ${named('component', 2)}) and on (${INSTALLATION}) warren_build_info`;
}

const KUBELET = 'kubelet_volume_stats';
const CLAIM = 'data-(.+)-(postgresql|redis|nats)-[0-9]+';
const FREE = 0.1;

/** Free share of the bundled servers' volumes, from the kubelets. */
const VOLUMES = `${KUBELET}_available_bytes{persistentvolumeclaim=~"${CLAIM}"} / ${KUBELET}_capacity_bytes`;

/** Nearly full volumes of installations. Their names have the release, like those of autoscalers. */
function fullVolumes(infix: string): string {
  const claim = CLAIM.replace('(.+)', `(.+)${infix}`);
  const named = `label_replace(${VOLUMES}, "release", "$1", "persistentvolumeclaim", "${claim}")`;
  return `min by (${INSTALLATION}, persistentvolumeclaim) (${named}) < ${FREE} and on (${INSTALLATION}) warren_build_info`;
}

const capacity: Alert[] = [
  {
    name: 'WarrenQuotasReached',
    // Refused attempts have no other effect.
    expr: `sum by (${INSTALLATION}, quota) (increase(warren_quota_refusals_total[1h])) > 10`,
    lasts: '15m',
    severity: 'warning',
    summary:
      'Accounts were refused {{ $value | humanize }} times within an hour since their quota of {{ $labels.quota }} is used up.',
  },
  {
    name: 'WarrenDiskNearlyFull',
    expr: [
      `min by (${INSTALLATION}) (warren_disk_available_bytes / warren_disk_size_bytes) < ${FREE}`,
      fullVolumes(''),
      fullVolumes('-warren'),
    ].join(' or '),
    lasts: '15m',
    severity: 'critical',
    summary:
      'Only {{ $value | humanizePercentage }} of {{ if $labels.persistentvolumeclaim }}the volume {{ $labels.persistentvolumeclaim }}{{ else }}a disk that the services run on{{ end }} is free.',
  },
  {
    name: 'WarrenAutoscalerAtMaximum',
    expr: [scaled(''), scaled('-warren')].join(' or '),
    lasts: '15m',
    severity: 'warning',
    summary: '{{ $labels.component }} has had all {{ $value }} pods that it may have for a quarter of an hour.',
  },
  {
    name: 'WarrenRedisMemoryNearLimit',
    // Without a limit there is no series.
    expr: `${max('warren_redis_memory_used_bytes')} / (${max('warren_redis_memory_max_bytes')} > 0) > 0.85`,
    lasts: '5m',
    severity: 'critical',
    summary:
      'Redis uses {{ $value | humanizePercentage }} of the memory that it may use. When it is full, sign-in fails.',
  },
  {
    name: 'WarrenEventStreamNearLimit',
    // A full stream drops its oldest events, which is harmless if all services have read them.
    expr: `${max('warren_event_stream_bytes')} / ${max('warren_event_stream_max_bytes')} > 0.85 and ${max('warren_event_consumer_pending{state="undelivered"}')} > 100`,
    lasts: '10m',
    severity: 'critical',
    summary:
      'The stream of events is {{ $value | humanizePercentage }} full, and a service has not read all of it: it will lose events.',
  },
  {
    name: 'WarrenSchemaDiffers',
    expr: `max by (${INSTALLATION}, component, state) (warren_database_migrations) > 0`,
    lasts: '30m',
    severity: 'warning',
    summary:
      '{{ if eq $labels.state "pending" }}The schema of {{ $labels.component }} lacks {{ $value }} migrations{{ else }}A process of {{ $labels.component }} is older than its schema, by {{ $value }} migrations{{ end }}.',
  },
  {
    name: 'WarrenMailsStuck',
    expr: `${max('min_over_time(warren_tenancy_mails_waiting[30m])')} > 0 unless sum by (${INSTALLATION}) (increase(warren_tenancy_mails_total[30m])) > 0`,
    lasts: '10m',
    severity: 'warning',
    summary: '{{ $value }} mails are due, and none has been tried for half an hour.',
  },
];

export const capacityGroups: Group[] = [{ name: 'warren-capacity', rules: capacity }];
