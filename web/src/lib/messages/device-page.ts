import { percent } from '../format.ts';

/** Texts of a device's own page. */
export const devicePage = {
  failed: 'The device could not be loaded.',
  open: 'Open page',
  desktop: 'Desktop',
  facts: 'Facts',
  charts: 'Charts',
  range: 'Time range',
  ranges: { '1h': '1 hour', '24h': '24 hours', '7d': '7 days', '30d': '30 days', '1y': '1 year' },
  zoomOut: 'Reset zoom',
  none: 'No history yet. The agent samples once a minute; the first points show within five minutes.',
  noneHint: 'Agents before 0.2.0 keep no history, and WARREN_METRICS=off turns it off.',
  metricsFailed: 'The history could not be loaded.',
  events: 'Events',
  noEvents: 'Nothing happened in this time.',
  titles: {
    cpu: 'CPU',
    memory: 'Memory',
    disk: 'Disks',
    temperature: 'Temperature',
    network: 'Network',
    load: 'Load',
    round_trip: 'Round trip',
  },
  units: {
    percent: '%',
    bytes_per_second: 'B/s',
    celsius: '°C',
    load: 'processes',
    milliseconds: 'ms',
  },
  average: 'average',
  highest: 'highest',
  received: (name: string) => `${name} received`,
  sent: (name: string) => `${name} sent`,
  chart: (title: string, unit: string) => `${title}, ${unit}`,
  summary: (title: string, parts: string[]) => `${title}. ${parts.join('. ')}.`,
  seriesSummary: (name: string, now: string, least: string, most: string) =>
    `${name}: last ${now}, from ${least} to ${most}`,
  noValues: (name: string) => `${name}: no values`,
  share: percent,
} as const;
