import { invalidInput } from '@warren/platform/errors/fault';
import { ChannelKind, type ChannelTarget, type QuietHours as QuietMessage } from '@warren/proto/fleet/v1/notifications';
import { ALERT_SEVERITIES } from '@warren/rules/alerts';
import {
  afterMinutes,
  channelAddresses,
  channelName,
  channelUrl,
  quietHours,
  type ChannelKindName,
  type QuietHours,
} from '@warren/rules/channels';
import { z } from 'zod';

const KINDS: Partial<Record<ChannelKind, ChannelKindName>> = {
  [ChannelKind.MAIL]: 'mail',
  [ChannelKind.SLACK]: 'slack',
  [ChannelKind.TEAMS]: 'teams',
  [ChannelKind.WEBHOOK]: 'webhook',
};

/** What is set besides the target. */
export const settingsSchema = z
  .object({
    name: channelName,
    min_severity: z.enum(ALERT_SEVERITIES, `expected ${ALERT_SEVERITIES.join(', ')}`),
    quiet: quietHours.nullable(),
    after_minutes: afterMinutes,
    recovery: z.boolean(),
    enabled: z.boolean(),
  })
  .transform(({ min_severity: minSeverity, after_minutes: minutes, ...settings }) => {
    return { ...settings, minSeverity, afterMinutes: minutes };
  });

const webUrl = channelUrl.refine((text) => URL.canParse(text), 'expected a URL such as https://hooks.example.com/path');

/** @throws Fault `invalid_argument` that names each problem; values are left out, as they may be secrets */
export function parsed<S extends z.ZodType>(schema: S, value: unknown, field = ''): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const problems = result.error.issues.map(({ path, message }) => ({
    field: [field, ...path].filter((part) => part !== '').join('.'),
    message,
  }));
  const [first = { field, message: 'expected another value' }, ...others] = problems;
  throw invalidInput(first, ...others);
}

/** @throws Fault `invalid_argument` */
export function kindOf(kind: ChannelKind): ChannelKindName {
  const name = KINDS[kind];
  if (!name) throw invalidInput({ field: 'kind', message: 'expected mail, slack, teams or webhook' });
  return name;
}

/** Where a channel of a kind leads. @throws Fault `invalid_argument` */
export function targetOf(
  kind: ChannelKindName,
  target: Pick<ChannelTarget, 'addresses' | 'url'> | undefined,
): { addresses: string[]; url: string | undefined } {
  if (kind === 'mail')
    return { addresses: parsed(channelAddresses, target?.addresses ?? [], 'target.addresses'), url: undefined };
  return { addresses: [], url: new URL(parsed(webUrl, target?.url ?? '', 'target.url')).href };
}

/** The quiet hours of a message, to be parsed. */
export function quietOf(quiet: QuietMessage | undefined): QuietHours | null {
  if (!quiet) return null;
  const { from, to, zone, exceptCritical } = quiet;
  return { from, to, zone, exceptCritical };
}
