import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { create } from '@bufbuild/protobuf';
import { until } from '@warren/infra/until';
import { serviceCaller } from '@warren/platform/rpc/caller';
import { Role } from '@warren/proto/common/v1/common';
import { AccessRulesSchema } from '@warren/proto/tenancy/v1/requests';
import { v7 as uuidv7 } from 'uuid';
import { AccessRulesService } from '../src/requests/rules.service.ts';
import { InvitationWorld } from './invitation.world.ts';
import { requestPeople, type Person } from './request.people.ts';

describe('what an account allows with terminals', () => {
  const world = new InvitationWorld();
  const { people, added, as } = requestPeople(world);
  let rules: AccessRulesService;
  let owner: Person;

  beforeAll(async () => {
    await world.start();
    rules = world.app.get(AccessRulesService);
    owner = await people('owner@acme.test', Role.OWNER);
  });
  afterAll(() => world.stop());

  const tunnels = serviceCaller('tunnels');
  const days = async (accountId = world.acme) => (await rules.terminals(tunnels, { accountId })).pinDays;
  const set = (change: object) => {
    const recentSignIn = { minutes: 15, terminals: false, manage: false, grants: false };
    const wanted = create(AccessRulesSchema, { longestMinutes: 480, recentSignIn, ...change });
    return rules.set(as(owner), { accountId: world.acme, rules: wanted });
  };

  it('is 7 days unless the account says otherwise, and stays as it is for a client that does not know it', async () => {
    expect(await days()).toBe(7);
    await set({ requests: true });
    expect(await days()).toBe(7);
    await set({ requests: true, terminalPinDays: 0 });
    expect(await days()).toBe(0);
    await set({ requests: false });
    expect(await days()).toBe(0);
    await set({ terminalPinDays: 30 });
    expect(await days()).toBe(30);
    await expect(set({ terminalPinDays: 31 })).rejects.toMatchObject({ code: 'invalid_argument' });
  });

  it('lets nobody observe them unless its Owner or Admins say so, in the audit trail', async () => {
    const observe = async () => (await rules.terminals(tunnels, { accountId: world.acme })).observe;
    expect(await observe()).toBe(false);
    await set({ observeTerminals: true });
    expect(await observe()).toBe(true);
    const audited = () =>
      world.heard.flatMap(({ kind }) =>
        kind.case === 'audit' && kind.value.action === 'account.set_access_rules' ? [kind.value] : [],
      );
    const change = { field: 'observe_terminals', before: 'false', after: 'true' };
    const seen = () => audited().find(({ changes }) => changes.some(({ field }) => field === change.field));
    await until(() => seen() !== undefined);
    expect(seen()).toMatchObject({
      actor: { id: owner.id },
      changes: expect.arrayContaining([expect.objectContaining(change)]),
    });
    // A client that does not know it changes nothing about it.
    await set({ requests: true });
    expect(await observe()).toBe(true);
    const member = await added('mia@acme.test', 'Members', Role.MEMBER);
    const wanted = create(AccessRulesSchema, { longestMinutes: 480, observeTerminals: false });
    await expect(rules.set(as(member), { accountId: world.acme, rules: wanted })).rejects.toMatchObject({
      code: 'permission_denied',
    });
    await set({ observeTerminals: false });
    expect(await observe()).toBe(false);
  });

  it('is for tunnels alone', async () => {
    for (const caller of [as(owner), serviceCaller('gateway')])
      await expect(rules.terminals(caller, { accountId: world.acme })).rejects.toMatchObject({
        code: 'permission_denied',
      });
    for (const accountId of ['none', uuidv7()])
      await expect(days(accountId)).rejects.toMatchObject({ code: 'not_found' });
  });
});
