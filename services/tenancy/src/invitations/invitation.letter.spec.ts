import { describe, expect, it } from '@jest/globals';
import { invitationLetter, invitationLinks, type LetterInput } from './invitation.letter.ts';

const INPUT: LetterInput = {
  hub: 'https://hub.test',
  token: 't-_1',
  email: 'ann+x@else.test',
  account_id: '01997b5c-0000-7000-8000-00000000000a',
  account_name: 'Acme',
  group_name: 'Members',
  inviter: 'Olga',
};

describe('the mail of an invitation', () => {
  it('has links of e-mail, account and token', () => {
    const query = 'email=ann%2Bx%40else.test&account=01997b5c-0000-7000-8000-00000000000a&token=t-_1';
    expect(invitationLinks(INPUT)).toEqual({
      accept: `https://hub.test/accept_invitation?${query}`,
      signUp: `https://hub.test/signup-user?${query}`,
    });
  });

  it('says who asks whom into what, in text and in HTML', () => {
    const { to, subject, text, html } = invitationLetter(INPUT);
    expect([to, subject]).toEqual(['ann+x@else.test', 'Join Acme on Warren']);
    for (const body of [text, html])
      expect(body).toContain('Olga has invited you to join Acme on Warren, in the group Members.');
    expect(invitationLetter({ ...INPUT, inviter: '' }).text).toContain('You are invited to join Acme');
  });

  it('lets no name become markup', () => {
    const { html } = invitationLetter({ ...INPUT, inviter: '<img src=x>', account_name: '"><script>' });
    expect(html).not.toMatch(/<img|<script/);
    expect(html).toContain('&lt;img src=x&gt;');
  });
});
