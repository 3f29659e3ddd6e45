import { z } from 'zod';
import { email } from './emails.ts';
import { deviceText } from './facts.ts';
import { timeOfDay, timeZone } from './updates.ts';

/** Where notifications of alerts go. */
export const CHANNEL_KINDS = ['mail', 'slack', 'teams', 'webhook'] as const;
export type ChannelKindName = (typeof CHANNEL_KINDS)[number];

export const CHANNEL_LIMITS = { perAccount: 20, name: 64, addresses: 10, url: 2_048, afterMinutes: 1_440 } as const;

/** What people call a channel. */
export const channelName = deviceText(CHANNEL_LIMITS.name).trim().min(1, 'expected a name');

/** Recipients of a channel by mail. */
export const channelAddresses = z
  .array(email)
  .min(1, 'expected at least one address')
  .max(CHANNEL_LIMITS.addresses, `expected at most ${CHANNEL_LIMITS.addresses} addresses`)
  .refine((list) => new Set(list).size === list.length, 'expected each address only once');

const URL_EXPECTED = 'expected a URL such as https://hooks.example.com/path, without user and password';

/** The URL of a webhook. Plain http is for private addresses that the operator allows. */
export const channelUrl = z
  .string(URL_EXPECTED)
  .trim()
  .max(CHANNEL_LIMITS.url, `expected at most ${CHANNEL_LIMITS.url} characters`)
  .regex(/^https?:\/\/[^\s/?#@\\]+([/?][^\s#]*)?$/i, URL_EXPECTED);

/** Local times at which a channel rests. */
export const quietHours = z
  .object({
    from: timeOfDay,
    to: timeOfDay.describe('Not part of the quiet hours. Earlier than `from`: on the next day.'),
    zone: timeZone,
    exceptCritical: z.boolean().default(true).describe('Whether critical alerts are sent in quiet hours too.'),
  })
  .refine(({ from, to }) => from !== to, { error: 'expected another time than `from`', path: ['to'] });
export type QuietHours = z.output<typeof quietHours>;

/** Minutes for which an alert is open and unacknowledged before it is announced. */
export const afterMinutes = z
  .int()
  .min(0, 'expected 0 or more')
  .max(CHANNEL_LIMITS.afterMinutes, `expected at most ${CHANNEL_LIMITS.afterMinutes}`);
