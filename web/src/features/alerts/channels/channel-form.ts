import type { NotificationChannel } from '../../../lib/api/types.ts';
import { channels as text } from '../../../lib/messages/channels.ts';

export type ChannelKind = NotificationChannel['kind'];
export const CHANNEL_KINDS = Object.keys(text.kinds) as ChannelKind[];

export interface QuietHours {
  from: string;
  to: string;
  zone: string;
  exceptCritical: boolean;
}

/** A channel as its form has it. */
export interface ChannelContent {
  name: string;
  kind: ChannelKind;
  addresses: string[];
  /** A new URL; empty keeps the stored one. */
  url: string;
  minSeverity: NotificationChannel['minSeverity'];
  afterMinutes: number;
  recovery: boolean;
  quiet: QuietHours | null;
}

/** A night in this browser's time zone. */
export const usualQuiet = (): QuietHours => ({
  from: '22:00',
  to: '06:00',
  zone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
  exceptCritical: true,
});

export const USUAL_ESCALATION = 15;

export const newChannel = (): ChannelContent => ({
  name: '',
  kind: 'mail',
  addresses: [],
  url: '',
  minSeverity: 'warning',
  afterMinutes: 0,
  recovery: true,
  quiet: null,
});

export const contentOf = (channel: NotificationChannel): ChannelContent => ({
  name: channel.name,
  kind: channel.kind,
  addresses: channel.target.addresses ?? [],
  url: '',
  minSeverity: channel.minSeverity,
  afterMinutes: channel.afterMinutes,
  recovery: channel.recovery,
  quiet: channel.quiet ?? null,
});

/** The target to send; undefined to keep the stored one. */
export function targetOf({
  kind,
  addresses,
  url,
}: ChannelContent): { addresses: string[] } | { url: string } | undefined {
  if (kind === 'mail') return { addresses };
  return url.trim() === '' ? undefined : { url: url.trim() };
}

const isTime = (value: string) => /^([01]\d|2[0-3]):[0-5]\d$/.test(value);

type Problems = Partial<Record<'name' | 'target' | 'from' | 'to', string>>;

/**
 * What is missing or wrong in a channel, by its field.
 * @param isNew a new channel has no stored URL
 */
export function problemsOf({ name, kind, addresses, url, quiet }: ChannelContent, isNew: boolean): Problems {
  const isUrlMissing = isNew || url.trim() !== '';
  return {
    ...(name.trim() === '' && { name: text.nameMissing }),
    ...(kind === 'mail' && addresses.length === 0 && { target: text.addressesMissing }),
    ...(kind !== 'mail' && isUrlMissing && !/^https?:\/\/\S+$/.test(url.trim()) && { target: text.urlMissing }),
    ...(quiet && !isTime(quiet.from) && { from: text.timeMissing }),
    ...(quiet && !isTime(quiet.to) && { to: text.timeMissing }),
  };
}
