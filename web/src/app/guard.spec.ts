import { describe, expect, it } from '@jest/globals';
import { person } from '../testing/people.ts';
import { loginPath } from '../lib/hub-paths.ts';
import { guard } from './guard.ts';

const everythingWrong = person({
  need_accept: 'Yes',
  accept_token: 't+1',
  invitation_account: 'acc',
  group: { id: '', role: '' },
  account: '',
  status: 'Inactive',
});

describe('the session guard', () => {
  it('sends to sign-in first', () => {
    expect(guard(null)).toEqual({ kind: 'login' });
  });

  it('sends to the invitation next, with e-mail, account and token', () => {
    expect(guard(everythingWrong)).toEqual({
      kind: 'go',
      to: '/accept_invitation?email=ada%40example.org&account=acc&token=t%2B1',
    });
  });

  it('then asks for group and account', () => {
    expect(guard({ ...everythingWrong, need_accept: 'No' })).toEqual({ kind: 'go', to: '/account_issue' });
    expect(guard(person({ group: { id: '', role: '' } }))).toEqual({ kind: 'go', to: '/account_issue' });
    expect(guard(person({ account: '' }))).toEqual({ kind: 'go', to: '/account_issue' });
  });

  it('then asks for an active status', () => {
    expect(guard(person({ status: 'Inactive' }))).toEqual({ kind: 'go', to: '/account_disable' });
  });

  it('lets an active member of an account through', () => {
    expect(guard(person())).toBeNull();
  });

  it('comes back from sign-in to the same page', () => {
    expect(loginPath('/devices?page=2&search=a b')).toBe(
      '/auth/saml/login?RelayState=%2Fdevices%3Fpage%3D2%26search%3Da+b',
    );
  });
});
