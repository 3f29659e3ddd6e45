import { describe, expect, it } from '@jest/globals';
import { durationText, requestLetter, type LetterInput } from './request.letter.ts';

const INPUT: LetterInput = {
  id: '01997b5c-0000-7000-8000-000000000001',
  kind: 'asked',
  email: 'olga@acme.test',
  account_id: '01997b5c-0000-7000-8000-00000000000a',
  account_name: 'Acme',
  request_id: '01997b5c-0000-7000-8000-00000000000b',
  user_name: 'Max',
  permissions: ['view', 'terminal'],
  filter: 'id=x',
  device_name: 'pump-7',
  reason: 'The pump stops',
  minutes: 60,
  state: 'open',
  grant_expires: null,
  decided_by: '',
  note: '',
  hub: 'https://hub.test',
};

describe('the mail about an access request', () => {
  it('says who asks for what, why and for how long, and links to it', () => {
    const { to, subject, text } = requestLetter(INPUT);
    expect([to, subject]).toEqual(['olga@acme.test', 'Max asks for access to pump-7']);
    expect(text).toContain('Max asks for terminal on pump-7 of Acme, for 1 hour.');
    expect(text).toContain('Reason: The pump stops');
    expect(text).toContain(`https://hub.test/requests/${INPUT.account_id}?request=${INPUT.request_id}`);
  });

  it.each([
    ['approved', 'Olga approved your request for terminal on all devices of Acme. It lasts until Sat, 28 Nov 2026'],
    ['denied', 'Olga denied your request for terminal on all devices of Acme.'],
    ['expired', 'Nobody decided about your request for terminal on all devices of Acme in time.'],
  ] as const)('tells the requester that it was %s', (state, expected) => {
    const until = new Date('2026-11-28T12:00:00Z');
    const ended = { kind: 'ended', state, decided_by: 'Olga', note: 'Fine', device_name: '', filter: '' } as const;
    const { subject, text } = requestLetter({ ...INPUT, ...ended, grant_expires: until });
    expect(subject).toBe(`Your access request ${state === 'expired' ? 'expired' : `was ${state}`}`);
    expect(text).toContain(expected);
    expect(text.includes('Olga says: Fine')).toBe(state !== 'expired');
  });

  it('lets no text become markup', () => {
    const { html } = requestLetter({ ...INPUT, user_name: '<img src=x>', reason: '"><script>' });
    expect(html).not.toMatch(/<img|<script/);
  });

  it.each([
    [45, '45 minutes'],
    [60, '1 hour'],
    [480, '8 hours'],
    [2_880, '2 days'],
  ])('writes %i minutes as %s', (minutes, text) => expect(durationText(minutes)).toBe(text));
});
