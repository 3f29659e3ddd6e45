import { expect, it } from '@jest/globals';
import type { EventJson } from './event.json.ts';
import { framed, syslogMessage } from './syslog.ts';

const event: EventJson = {
  id: '01997b5c-2f4e-7d3a-9c51-0a2b3c4d5e6f',
  time: '2026-01-31T08:15:30.000Z',
  accountId: 'a',
  sequence: 7,
  actor: { kind: 'user', id: 'u', name: 'Ada', email: 'ada@a.example', onBehalfOf: '' },
  action: 'device.rename',
  target: { kind: 'device', id: 'd', name: 'pump\n7' },
  outcome: 'success',
  reason: '',
  grant: '',
  address: '192.0.2.7',
  userAgent: 'Firefox',
  requestId: 'r',
  changes: [{ field: 'name', before: 'pump-6', after: 'Grüße', hidden: false }],
  details: {},
};

it('writes the header of RFC 5424, and one line of JSON', () => {
  const text = syslogMessage(event, 'hub.example.com');
  const [, msg = ''] = text.split('\uFEFF');
  expect(text).toMatch(
    /^<110>1 2026-01-31T08:15:30\.000Z hub\.example\.com warren - device\.rename \[origin software="Warren"\] \uFEFF\{/,
  );
  expect(text).not.toContain('\n');
  expect(JSON.parse(msg)).toEqual(event);
});

it('warns of what was refused, and lets no name break out of its field', () => {
  const text = syslogMessage({ ...event, outcome: 'refused', action: 'a b\n<1>1' }, 'hub example');
  expect(text).toMatch(/^<108>1 \S+ hubexample warren - ab<1>1 \[/);
});

it('leaves out changes and details of an event that receivers need not accept', () => {
  const large = { ...event, details: { text: 'x'.repeat(9_000) } };
  const text = syslogMessage(large, 'hub');
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(8_192);
  expect(JSON.parse(text.split('\uFEFF')[1] ?? '')).toMatchObject({ truncated: true, changes: [], details: {} });
});

it('counts octets, not characters', () => {
  expect(framed('aü').toString('latin1')).toBe(`3 a${Buffer.from('ü').toString('latin1')}`);
});
