import { describe, expect, it } from '@jest/globals';
import { email, inviteEmails, ownerEmail } from './emails.ts';
import { accountName, groupName } from './names.ts';

const message = (result: { error?: { issues: { message: string }[] } }) => result.error?.issues[0]?.message;

describe('names', () => {
  it('are letters, digits and spaces', () => {
    expect(accountName.parse('  Meadow Farms 2 ')).toBe('Meadow Farms 2');
    expect(message(accountName.safeParse('   '))).toBe('The account name is required');
    expect(message(accountName.safeParse(undefined))).toBe('The account name is required');
    expect(message(accountName.safeParse('<b>'))).toBe('Invalid character');
    expect(message(accountName.safeParse('é'))).toBe('Invalid character');
  });

  it('lose the dashes at their ends, in groups', () => {
    expect(groupName.parse('--Field crew-')).toBe('Field crew');
    expect(message(groupName.safeParse('--'))).toBe('The group name is required');
    expect(message(groupName.safeParse('a-b'))).toBe('Invalid character');
  });
});

describe('e-mail addresses', () => {
  it('are one person in any spelling', () => {
    expect(email.parse(' Ann@Example.COM ')).toBe('ann@example.com');
    expect(message(ownerEmail.safeParse(''))).toBe('The owner email is required');
    expect(message(email.safeParse(undefined))).toBe('Please enter a valid email address.');
    expect(message(ownerEmail.safeParse('a@b'))).toBe('Please enter a valid email address.');
  });

  it('are invited up to ten at a time, each once', () => {
    const many = (count: number) => Array.from({ length: count }, (_, index) => `u${index}@example.com`);
    expect(inviteEmails.parse(many(10))).toHaveLength(10);
    expect(message(inviteEmails.safeParse(many(11)))).toBe('Reduce the number of email addresses to no more than 10.');
    expect(inviteEmails.safeParse(['a@b.c', 'A@b.c']).success).toBe(false);
  });
});
