import { z } from 'zod';

/** Labels of a device, and the limits of Kubernetes for their parts ("Labels and Selectors", syntax and character set). */
export const LABEL_LIMITS = { perDevice: 32, prefix: 253, name: 63, value: 63 } as const;

const PREFIX = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const NAME = /^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/;

/** Tells whether a text may be the key of a label: a name, with a DNS name and a slash before it or without. */
export function isLabelKey(text: string): boolean {
  const slash = text.indexOf('/');
  const name = text.slice(slash + 1);
  const prefix = slash === -1 ? undefined : text.slice(0, slash);
  if (name.length > LABEL_LIMITS.name || !NAME.test(name)) return false;
  return prefix === undefined || (prefix.length <= LABEL_LIMITS.prefix && PREFIX.test(prefix));
}

const KEY_EXPECTED =
  'expected a key of at most 63 letters, digits, dashes, dots and underscores that begins and ends with a letter or digit, such as site or example.com/site';
const VALUE_EXPECTED =
  'expected a value of at most 63 letters, digits, dashes, dots and underscores that begins and ends with a letter or digit, or nothing';

/** The key of a label. */
export const labelKey = z.string().refine(isLabelKey, KEY_EXPECTED);

/** The value of a label; empty is a value. */
export const labelValue = z
  .string()
  .refine((text) => text === '' || (NAME.test(text) && text.length <= LABEL_LIMITS.value), VALUE_EXPECTED);

export type Labels = Record<string, string>;

/** The labels of one device. */
export const labels = z
  .record(z.string(), labelValue)
  .superRefine((all, context) => {
    for (const key of Object.keys(all))
      if (!isLabelKey(key)) context.addIssue({ code: 'custom', path: [key], message: KEY_EXPECTED });
  })
  .refine(
    (all) => Object.keys(all).length <= LABEL_LIMITS.perDevice,
    `expected at most ${LABEL_LIMITS.perDevice} labels`,
  );

/**
 * Parses labels as people and settings write them: `site=north,ring=canary`. A later key wins.
 * @returns what is wrong instead, with the part that is
 */
export function parseLabels(text: string): { labels: Labels } | { message: string; part: string } {
  const parsed: [string, string][] = [];
  for (const part of text.split(',').map((one) => one.trim())) {
    if (part === '') continue;
    const [, key = '', value = ''] = /^([^=]*)=(.*)$/s.exec(part) ?? [];
    if (!part.includes('=')) return { message: 'expected key=value', part };
    if (!isLabelKey(key)) return { message: KEY_EXPECTED, part: key || part };
    if (!labelValue.safeParse(value).success) return { message: VALUE_EXPECTED, part: value };
    parsed.push([key, value]);
  }
  const all = Object.fromEntries(parsed);
  if (Object.keys(all).length > LABEL_LIMITS.perDevice)
    return { message: `expected at most ${LABEL_LIMITS.perDevice} labels`, part: text };
  return { labels: all };
}

/** Writes labels as {@link parseLabels} reads them, in the order of their keys. */
export function formatLabels(all: Readonly<Labels>): string {
  return Object.entries(all)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${key}=${value}`)
    .join(',');
}

/** What people write about a device. */
export const notes = z
  .string()
  .max(10_000, 'expected at most 10000 characters')
  .refine((text) => !text.includes('\0'), 'expected no NUL character');
