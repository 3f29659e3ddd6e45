import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { create } from '@bufbuild/protobuf';
import { serviceCaller } from '@warren/platform/rpc/caller';
import { Role } from '@warren/proto/common/v1/common';
import { AccessRulesSchema } from '@warren/proto/tenancy/v1/requests';
import { v7 as uuidv7 } from 'uuid';
import { AccessRulesService } from '../src/requests/rules.service.ts';
import { InvitationWorld } from './invitation.world.ts';
import { requestPeople, type Person } from './request.people.ts';

describe('how long terminals of an account may be pinned', () => {
  const world = new InvitationWorld();
  const { people, as } = requestPeople(world);
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

  it('is for tunnels alone', async () => {
    for (const caller of [as(owner), serviceCaller('gateway')])
      await expect(rules.terminals(caller, { accountId: world.acme })).rejects.toMatchObject({
        code: 'permission_denied',
      });
    for (const accountId of ['none', uuidv7()])
      await expect(days(accountId)).rejects.toMatchObject({ code: 'not_found' });
  });
});
