import { invalidInput } from '@warren/platform/errors/fault';
import { shownUrl } from '@warren/platform/outbound/signature';
import { AuditOutcome, StreamKind, type StreamFilter } from '@warren/proto/audit/v1/audit';
import {
  streamActions,
  streamCa,
  streamName,
  streamUrl,
  syslogAddress,
  type StreamKindName,
} from '@warren/rules/audit-streams';
import { X509Certificate } from 'node:crypto';
import { z } from 'zod';

const KINDS: Partial<Record<StreamKind, StreamKindName>> = {
  [StreamKind.WEBHOOK]: 'webhook',
  [StreamKind.SYSLOG]: 'syslog',
  [StreamKind.FILE]: 'file',
};
const OUTCOMES = [AuditOutcome.SUCCESS, AuditOutcome.REFUSED, AuditOutcome.FAILED];
const MAX_PORT = 65_535;

const valid = (text: string) => URL.canParse(text.replace(/^tls:/i, 'https:'));
const webhook = streamUrl.refine(valid, 'expected a URL such as https://siem.example.com/path');
const syslog = syslogAddress.refine(
  (text) => valid(text) && Number(/:(\d+)\/?$/.exec(text.slice(6))?.[1] ?? 1) <= MAX_PORT,
  'expected an address such as tls://siem.example.com:6514',
);
const ca = streamCa.refine((pem) => pem === '' || isCertificate(pem), 'expected certificates as PEM');
const filter = z.object({ actions: streamActions, outcomes: z.array(z.literal(OUTCOMES)).max(OUTCOMES.length) });

/** @throws Fault `invalid_argument` that names each problem; values are left out, as they may be secrets */
function parsed<S extends z.ZodType>(schema: S, value: unknown, field: string): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const problems = result.error.issues.map(({ path, message }) => ({ field: [field, ...path].join('.'), message }));
  const [first = { field, message: 'expected another value' }, ...others] = problems;
  throw invalidInput(first, ...others);
}

/** @throws Fault `invalid_argument` */
export function kindOf(kind: StreamKind): StreamKindName {
  const name = KINDS[kind];
  if (!name) throw invalidInput({ field: 'kind', message: 'expected webhook, syslog or file' });
  return name;
}

export const nameOf = (name: string): string => parsed(streamName, name, 'name');

/** Where a stream of a kind leads, and what people see of it. @throws Fault `invalid_argument` */
export function targetOf(kind: StreamKindName, url: string): { url: string; shown: string } {
  if (kind === 'file') {
    if (url) throw invalidInput({ field: 'url', message: 'expected none for a file: the hub names it' });
    return { url, shown: '' };
  }
  if (kind === 'syslog') {
    const address = parsed(syslog, url, 'url').replace(/\/$/, '').toLowerCase();
    return { url: address, shown: address };
  }
  const { href } = new URL(parsed(webhook, url, 'url'));
  return { url: href, shown: shownUrl(href) };
}

/** @throws Fault `invalid_argument`; for a webhook too, whose certificate is always one of a public authority */
export function caOf(kind: StreamKindName, pem: string): string {
  const given = parsed(ca, pem, 'ca');
  if (given && kind !== 'syslog') throw invalidInput({ field: 'ca', message: 'expected it for syslog only' });
  return given;
}

/** @throws Fault `invalid_argument` */
export function filterOf(given: StreamFilter | undefined): { actions: string[]; outcomes: number[] } {
  const { actions, outcomes } = parsed(filter, given ?? { actions: [], outcomes: [] }, 'filter');
  return { actions: [...new Set(actions)], outcomes: [...new Set(outcomes)] };
}

function isCertificate(pem: string): boolean {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  try {
    return blocks.length > 0 && blocks.every((block) => new X509Certificate(block).subject !== undefined);
  } catch {
    return false;
  }
}
