import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { serviceCaller } from '@warren/platform/rpc/caller';
import { Fault } from '@warren/platform/errors/fault';
import { Role, Status } from '@warren/proto/common/v1/common';
import { GroupManagement } from '../src/lifecycle/group-management.service.ts';
import { GroupsService } from '../src/groups/groups.service.ts';
import { AccountManagement } from '../src/lifecycle/account-management.service.ts';
import { Ownership } from '../src/lifecycle/ownership.service.ts';
import { ProfilesService } from '../src/profiles/profiles.service.ts';
import { UserAdministration } from '../src/users/user.administration.ts';
import { user } from './callers.ts';
import { fresh, InvitationWorld } from './invitation.world.ts';

const AT_ONCE = 50;
/** Milliseconds that a change may wait for a connection: what is tested is that all happen, however slow the machine is. */
const PATIENCE_MS = 60_000;
const many = <T>(work: (at: number) => Promise<T>) =>
  Promise.allSettled(Array.from({ length: AT_ONCE }, (_, at) => work(at)));
const codes = (results: PromiseSettledResult<unknown>[]) =>
  results.flatMap((result) =>
    result.status === 'rejected' ? [result.reason instanceof Fault ? result.reason.code : String(result.reason)] : [],
  );

describe('fifty changes at the same time', () => {
  const w = new InvitationWorld();
  const superAdmin = () => user(w.zebra, Role.SUPER_ADMIN, true);
  const groupId = async (name: string) =>
    (await w.app.get(GroupsService).names(w.owner, { accountId: w.acme })).groups?.find((one) => one.name === name)
      ?.id ?? '';

  beforeAll(async () => {
    await w.start();
    const { master } = w.source.driver as unknown as { master: { options: { connectionTimeoutMillis: number } } };
    master.options.connectionTimeoutMillis = PATIENCE_MS;
  });
  afterAll(() => w.stop());

  it('of one user all happen: no answer says that the user does not exist', async () => {
    const users = w.app.get(UserAdministration);
    const [{ id }] = await w.source.query(`SELECT id FROM users WHERE email = 'member@acme.test'`);
    const groups = [await groupId('Members'), await groupId('Developers'), await groupId('Admins')];
    const results = await many<unknown>((at) => {
      const [move, disable, enable, reset] = [
        () => users.move(w.owner, { id, groupId: groups[at % 3]!, oldGroupId: '', accountId: '' }),
        () => users.setStatus(w.owner, { id, status: Status.INACTIVE }),
        () => users.setStatus(w.owner, { id, status: Status.ACTIVE }),
        () => users.resetSignIn(w.owner, { id }),
      ];
      return [move, disable, move, enable, reset][at % 5]!();
    });
    expect(codes(results)).toEqual([]);
    // Deleting among moves is never refused, and happens.
    const last = await many<unknown>((at) =>
      at === 25
        ? users.delete(w.owner, { id })
        : users.move(w.owner, { id, groupId: groups[at % 3]!, oldGroupId: '', accountId: '' }),
    );
    expect(last[25]?.status).toBe('fulfilled');
    expect(new Set(codes(last))).toEqual(new Set(codes(last).length > 0 ? ['not_found'] : []));
    expect(await w.source.query('SELECT FROM users WHERE id = $1', [id])).toHaveLength(0);
  });

  it('of one invitation, whose groups come and go, all happen', async () => {
    const management = w.app.get(GroupManagement);
    const email = fresh();
    await w.send([email]);
    const id = (await w.row(email))?.id ?? '';
    const made = await Promise.all(
      Array.from({ length: 10 }, (_, at) =>
        management.create(w.owner, { accountId: w.acme, name: `Crew ${at}`, role: Role.MEMBER }),
      ),
    );
    const results = await many<unknown>((at) => {
      const group = made[at % 10]!.group!.id!;
      if (at < 10) return management.remove(w.owner, { id: group });
      return at % 2 ? w.service.resend(w.owner, { id }) : w.send([email], ['Members']);
    });
    expect(codes(results)).toEqual([]);
  });

  it('into a group that is deleted are invitations of its default group, or not found', async () => {
    const management = w.app.get(GroupManagement);
    for (let round = 0; round < 5; round++) {
      const { group } = await management.create(w.owner, {
        accountId: w.acme,
        name: `Gone ${round}`,
        role: Role.MEMBER,
      });
      const id = group!.id!;
      const results = await many<unknown>((at) =>
        at === 20 ? management.remove(w.owner, { id }) : w.send([fresh()], [id]),
      );
      expect(results[20]?.status).toBe('fulfilled');
      expect(codes(results).filter((code) => code !== 'not_found')).toEqual([]);
    }
  });

  it('in an account that is deleted are done or not found', async () => {
    const management = w.app.get(AccountManagement);
    const { account } = await management.create(superAdmin(), { name: 'Short lived' });
    const accountId = account!.id!;
    const owner = user(accountId, Role.OWNER);
    const results = await many<unknown>((at) => {
      if (at === 25) return management.remove(superAdmin(), { id: accountId });
      const work = [
        () => w.send([fresh()], ['Members'], owner, accountId),
        () => w.app.get(GroupManagement).create(owner, { accountId, name: `G ${at}`, role: Role.ADMIN }),
        () => w.app.get(Ownership).assign(superAdmin(), { accountId, email: fresh(), newOwner: false }),
        () => management.setStatus(superAdmin(), { id: accountId, status: at % 8 ? Status.INACTIVE : Status.ACTIVE }),
      ];
      return work[at % 4]!();
    });
    expect(results[25]?.status).toBe('fulfilled');
    expect(codes(results).filter((code) => code !== 'not_found')).toEqual([]);
  });

  it('of a profile all happen, and a sign-up beside acceptance is done or not found', async () => {
    const [{ id }] = await w.source.query(`SELECT id FROM users WHERE email = 'owner@acme.test'`);
    const self = user(w.acme, Role.OWNER, { userId: id });
    const results = await many((at) => w.app.get(ProfilesService).update(self, { name: `Olga ${at}` }));
    expect(codes(results)).toEqual([]);
    const email = fresh();
    await w.send([email]);
    const link = await w.mailed(email);
    const mixed = await many<unknown>((at) =>
      at % 10 === 5 ? w.accept(link) : w.acceptance.signUp(serviceCaller('gateway'), { link, name: `N ${at}` }),
    );
    expect(codes(mixed).filter((code) => code !== 'not_found')).toEqual([]);
    expect(mixed.filter(({ status }, at) => at % 10 === 5 && status === 'fulfilled')).toHaveLength(1);
  });
});
