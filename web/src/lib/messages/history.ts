import type { Activity } from '../api/types.ts';

const bulkActions: Readonly<Record<string, string>> = {
  reboot: 'was rebooted by a bulk job',
  update: 'was updated by a bulk job',
  enable_console: 'had its console enabled by a bulk job',
  disable_console: 'had its console disabled by a bulk job',
  enable_web: 'had its web service enabled by a bulk job',
  disable_web: 'had its web service disabled by a bulk job',
};

/** The texts of what happened lately; a part of the one catalogue. */
export const history = {
  trend: 'Over time',
  trendTopic: 'Metric of the trend',
  trendTopics: { connected: 'Connected', alerts: 'Open alerts' },
  trendHours: { 24: '24 hours', 168: '7 days' },
  trendRange: 'Time range of the trend',
  trendShort: 'The trend shows once there are two samples; one is taken every ten minutes.',
  trendLabel: (span: string, { least, most }: { least: number; most: number }, now: number, total: number) =>
    `Connected devices in the last ${span}: minimum ${least}, maximum ${most}, now ${now} of ${total}.`,
  stripHours: { 24: '24 hours', 720: '30 days' },
  strip: (span: string) => `Connected, last ${span}`,
  stripLabel: (span: string, share: string, breaks: number) =>
    `Connected ${share} of the last ${span}, ${breaks} ${breaks === 1 ? 'break' : 'breaks'}.`,
  stripLabelUnknown: (span: string) => `Connection in the last ${span}: not known yet.`,
  stripNote: (share: string) => `${share} of the known time`,
  stripUnknown: 'Not known yet',
  span: { Connected: 'Connected', Disconnected: 'Disconnected', Unknown: 'Not known' },
  fromTo: (what: string, from: string, to: string) => `${what}, ${from} to ${to}`,
  now: 'now',
  hoursAgo: (hours: number) => (hours > 48 ? `${hours / 24} d ago` : `${hours} h ago`),
  failed: 'The history could not be loaded.',
  lately: 'What changed lately',
  topics: { all: 'All', links: 'Links', changes: 'Changes' },
  topic: 'Which events',
  nothing: 'Nothing in the last 31 days.',
  by: (actor: string) => `by ${actor}`,
  what: (one: Activity): string => {
    const texts: Record<Activity['kind'], string> = {
      enrolled: 'enrolled',
      connected: 'connected',
      disconnected: 'disconnected',
      renamed: `is called ${one.detail} now`,
      moved_in: `moved into ${one.account.name}`,
      moved_out: `moved out of ${one.account.name}`,
      deleted: 'was deleted',
      web_permissions: one.detail ? `lets its web service use: ${one.detail}` : 'lets its web service use nothing more',
      hardware_replaced: `has new hardware with serial ${one.detail}`,
      updated: `was updated to version ${one.detail}`,
      bulk_action: bulkActions[one.detail] ?? 'was changed by a bulk job',
      machine_separated: `was separated from the machine with serial ${one.detail}`,
      labelled: `has other labels: ${one.detail}`,
      changed: 'changed',
    };
    return texts[one.kind];
  },
};
