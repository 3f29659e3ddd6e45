import { ALERT_SEVERITIES, type AlertSeverity } from '@warren/rules/alerts';

/** One alert of a group, for people. */
export interface Example {
  alertId: string;
  deviceId: string;
  deviceName: string;
  detail: string;
}

/** Alerts of one rule that opened, or that closed. */
export interface Group {
  ruleId: string;
  ruleName: string;
  kind: 'opened' | 'closed';
  severity: AlertSeverity;
  count: number;
  /** Some of them. */
  examples: Example[];
  /** When the first one changed: ISO 8601. */
  since: string;
}

/** Why a message is sent: alerts of a rule changed, quiet hours are over, the hourly limit was reached, or somebody tests the channel. */
export type Reason = 'alerts' | 'quiet' | 'limit' | 'test';

/** What a message says, whatever its form. */
export interface Content {
  reason: Reason;
  groups: Group[];
  /** Groups that are left out. */
  omitted: number;
}

/** A message to be delivered. */
export interface Message {
  /** The same in each attempt. */
  id: string;
  accountId: string;
  title: string;
  severity: AlertSeverity;
  content: Content;
  created: Date;
}

/** A message stays below what Slack (50 blocks) and Teams (28 KB) take. */
const MAX_GROUPS = 10;
const EXAMPLES = 10;
/** In a message with several groups. */
const FEW_EXAMPLES = 3;
const NAME_LENGTH = 80;
const DETAIL_LENGTH = 160;

/** From the worst on. */
const rank = (severity: AlertSeverity) => ALERT_SEVERITIES.indexOf(severity);

/** Groups of a message, the worst first, and as many as fit. */
export function contentOf(reason: Reason, groups: readonly Group[]): Content {
  const sorted = groups.toSorted(
    (one, other) =>
      Number(one.kind === 'closed') - Number(other.kind === 'closed') ||
      rank(one.severity) - rank(other.severity) ||
      other.count - one.count,
  );
  const most = groups.length > 1 ? FEW_EXAMPLES : EXAMPLES;
  const shown = sorted.slice(0, MAX_GROUPS).map((group) => ({
    ...group,
    ruleName: clipped(group.ruleName, NAME_LENGTH),
    examples: group.examples.slice(0, most).map((example) => ({
      ...example,
      deviceName: clipped(example.deviceName, NAME_LENGTH),
      detail: clipped(example.detail, DETAIL_LENGTH),
    })),
  }));
  return { reason, groups: shown, omitted: groups.length - shown.length };
}

/** The worst severity of what opened, else of what closed. */
export function severityOf(groups: readonly Group[]): AlertSeverity {
  const opened = groups.filter(({ kind }) => kind === 'opened');
  const severities = (opened.length > 0 ? opened : groups).map(({ severity }) => severity);
  return severities.reduce((worst, one) => (rank(one) < rank(worst) ? one : worst), 'info');
}

/** The subject of a message. */
export function titleOf(reason: Reason, groups: readonly Group[]): string {
  if (reason === 'test') return 'Test message';
  const [only] = groups;
  if (only && groups.length === 1) return headingOf(only);
  const count = (kind: Group['kind']) =>
    groups.filter((group) => group.kind === kind).reduce((sum, group) => sum + group.count, 0);
  const [opened, closed] = [count('opened'), count('closed')];
  const parts = [opened > 0 && `${alerts(opened)} opened`, closed > 0 && `${closed} resolved`].filter(Boolean);
  const names = new Set(groups.map(({ ruleName }) => ruleName));
  const subject = names.size === 1 ? clipped([...names][0] ?? '', NAME_LENGTH) : 'Summary';
  return `${subject}: ${parts.join(', ')}`;
}

/** `Critical: Offline, 12 devices`; `Resolved: Offline, kiosk-7`. */
export function headingOf({ kind, severity, ruleName, count, examples }: Group): string {
  const state = kind === 'closed' ? 'Resolved' : `${severity.charAt(0).toUpperCase()}${severity.slice(1)}`;
  const [first] = examples;
  const what = count === 1 && first ? clipped(first.deviceName, NAME_LENGTH) : `${count} devices`;
  return `${state}: ${clipped(ruleName, NAME_LENGTH)}, ${what}`;
}

/** A sentence that explains why a message is not about one change. */
export function introductionOf({ reason, omitted }: Content): string[] {
  const why: Record<Reason, string[]> = {
    alerts: [],
    quiet: ['What happened during quiet hours:'],
    limit: ['The account reached its limit of messages per hour. What happened since:'],
    test: ['This is a test. Notifications of alerts arrive here.'],
  };
  return [...why[reason], ...(omitted > 0 ? [`${omitted} more rules are left out.`] : [])];
}

/** How many alerts of a group are not among its examples, for people. */
export function moreOf({ count, examples }: Group): string | undefined {
  const more = count - examples.length;
  return more > 0 && examples.length > 0 ? `and ${more} more` : undefined;
}

export const exampleText = ({ deviceName, detail }: Example) =>
  detail === '' ? deviceName : `${deviceName}: ${detail}`;

/** Where people look at alerts. */
export const alertsUrl = (hub: string) => `${hub}/alerts`;

const alerts = (count: number) => (count === 1 ? '1 alert' : `${count} alerts`);

function clipped(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1).toWellFormed()}…` : text;
}
