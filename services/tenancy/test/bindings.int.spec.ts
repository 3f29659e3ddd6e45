import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { serviceCaller } from '@warren/platform/rpc/caller';
import { Role } from '@warren/proto/common/v1/common';
import { until } from '@warren/infra/until';
import { MembersService } from '../src/members/members.service.ts';
import { UserAdministration } from '../src/users/user.administration.ts';
import { user } from './callers.ts';
import { InvitationWorld } from './invitation.world.ts';

const gateway = serviceCaller('gateway');
const email = 'member@acme.test';
const of = (provider: string, subject: string) => ({ provider, subject });

describe('a user', () => {
  const w = new InvitationWorld();
  let members: MembersService;
  let id: string;
  const resolve = (identity: ReturnType<typeof of> | undefined, bind = false) =>
    members.resolve(gateway, { email, name: '', ...(identity ? { identity } : {}), bind });
  const bound = async () => (await w.source.query('SELECT provider, subject FROM users WHERE id = $1', [id]))[0];
  const unbound = () => w.source.query(`UPDATE users SET provider = '', subject = '' WHERE id = $1`, [id]);

  beforeAll(async () => {
    await w.start();
    members = w.app.get(MembersService);
    [{ id }] = await w.source.query('SELECT id FROM users WHERE email = $1', [email]);
  });
  afterAll(() => w.stop());

  it('of an earlier version is bound at the next sign-in, and not by a session', async () => {
    expect(await resolve(of('work', 's1'))).toHaveProperty('user.id', id);
    expect(await bound()).toEqual(of('', ''));
    expect(await resolve(of('work', 's1'), true)).toHaveProperty('user.provider');
    expect(await bound()).toEqual(of('work', 's1'));
  });

  it.each([
    ['another subject of the provider: the address was given to another person', of('work', 's2')],
    ['another provider', of('guests', 's1')],
    ['the provider without a subject', of('work', '')],
  ])('is not %s', async (_what, identity) => {
    for (const bind of [true, false]) expect(await resolve(identity, bind)).toEqual({ identityMismatch: true });
    expect(await bound()).toEqual(of('work', 's1'));
    expect(await resolve(of('work', 's1'), true)).toHaveProperty('user.id', id);
  });

  it('of a provider without lasting names is bound to it and the address, until it has one', async () => {
    await unbound();
    await resolve(of('work', ''), true);
    expect(await bound()).toEqual(of('work', ''));
    expect(await resolve(of('guests', ''), true)).toEqual({ identityMismatch: true });
    expect(await resolve(of('work', 's3'), true)).toHaveProperty('user.id', id);
    expect(await resolve(of('work', 's4'), true)).toEqual({ identityMismatch: true });
  });

  it('is bound to one of many that sign in at the same time', async () => {
    await unbound();
    const all = Array.from({ length: 12 }, (_, at) => resolve(of('work', `s${at}`), true));
    const answers = await Promise.all(all);
    expect(answers.filter(({ user: found }) => found)).toHaveLength(1);
  });

  it('is bound again after a manager reset it, with an audit event that names the manager', async () => {
    const users = w.app.get(UserAdministration);
    for (const caller of [user(w.zebra, Role.OWNER), user(w.acme, Role.MEMBER)])
      await expect(users.resetSignIn(caller, { id })).rejects.toHaveProperty(
        'code',
        expect.stringMatching(/not_found|permission_denied/),
      );
    const { user: reset } = await users.resetSignIn(w.owner, { id });
    expect(reset).toMatchObject({ id, provider: '' });
    await until(() =>
      w.heard.some(
        ({ kind }) => kind.case === 'userChanged' && kind.value.userId === id && kind.value.signInResetBy !== '',
      ),
    );
    expect(await resolve(of('guests', 'g1'), true)).toHaveProperty('user.id', id);
    expect(await bound()).toEqual(of('guests', 'g1'));
  });

  it('is no user by an address that only looks the same', async () => {
    expect(await members.resolve(gateway, { email: 'm\uff45mber@acme.test', name: '' })).toEqual({});
  });
});
