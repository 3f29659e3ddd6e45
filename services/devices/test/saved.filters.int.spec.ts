import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { create, fromBinary, type MessageInitShape } from '@bufbuild/protobuf';
import { userCaller, type Caller } from '@warren/platform/rpc/caller';
import { Role, SortOrder, UserCallerSchema, type UserCaller } from '@warren/proto/common/v1/common';
import { SavedFilterSchema, SavedFilterScope } from '@warren/proto/devices/v1/filters';
import { SAVED_FILTER_LIMITS } from '@warren/rules/filter/saved';
import { EventSchema } from '@warren/proto/events/v1/events';
import { v7 as uuidv7 } from 'uuid';
import { AccountEvents } from '../src/accounts/account.events.ts';
import { SavedFiltersService } from '../src/filters/saved.filters.service.ts';
import { DevicesWorld } from './devices.world.ts';

const { PERSON, ACCOUNT } = SavedFilterScope;

function person(accountId: string, role: Role): Caller {
  const userId = uuidv7();
  const email = `${userId}@example.com`;
  return userCaller(create(UserCallerSchema, { userId, email, name: 'Someone', accountId, role }));
}

describe('saved filters', () => {
  let world: DevicesWorld;
  const acme = uuidv7();
  const zebra = uuidv7();
  const admin = person(acme, Role.ADMIN);
  const member = person(acme, Role.MEMBER);
  const stranger = person(zebra, Role.OWNER);
  const notFound = { code: 'not_found' };

  beforeAll(async () => {
    world = await DevicesWorld.start(
      new Map([
        [acme, 'Acme'],
        [zebra, 'Zebra'],
      ]),
    );
    // Keeps what passes through the outbox.
    await world.source.query('CREATE TABLE told (LIKE outbox)');
    await world.source.query('CREATE RULE keep AS ON INSERT TO outbox DO ALSO INSERT INTO told VALUES (new.*)');
  });
  afterAll(() => world.end());

  const filters = () => world.app.get(SavedFiltersService);
  const save = async (caller: Caller, filter: MessageInitShape<typeof SavedFilterSchema>) =>
    (await filters().save(caller, { filter: create(SavedFilterSchema, { scope: PERSON, ...filter }) })).filter;
  const names = async (caller: Caller, accountId = '') =>
    (await filters().list(caller, { accountId, withUses: false })).filters?.map(({ name }) => name);

  /** The audit events of a filter. */
  const audited = async (id: string) => {
    const rows = await world.source.query<{ payload: Buffer }[]>('SELECT payload FROM told ORDER BY id');
    return rows
      .map(({ payload }) => fromBinary(EventSchema, payload))
      .flatMap(({ accountId, kind }) => {
        if (kind.case !== 'audit' || kind.value.target?.id !== id) return [];
        const { action, target, details, changes } = kind.value;
        const { kind: of, name } = target;
        return [
          { action, accountId, target: { kind: of, id, name }, details, changed: changes.map(({ field }) => field) },
        ];
      });
  };

  it('are listed to their person, and to the account that shares them', async () => {
    const kept = { filter: 'site=north cpu>80', sort: 'cpu', order: SortOrder.DESC, columns: ['cpu', 'label:site'] };
    await save(member, { name: ' mine ', ...kept });
    const shared = await save(admin, { name: 'Hot', scope: ACCOUNT, ...kept });
    expect((await filters().list(member, { accountId: '', withUses: false })).filters).toEqual([
      { ...shared, ...kept, name: 'Hot', scope: ACCOUNT, accountId: acme, key: 'hot' },
      { id: expect.any(String), ...kept, name: 'mine', scope: PERSON, accountId: '', key: '', uses: [] },
    ]);
    expect(await names(admin, acme)).toEqual(['Hot']);
    expect(await names(world.superAdmin, acme)).toEqual(['Hot']);
    expect(await names(stranger)).toEqual([]);
  });

  it('are replaced, all but whose they are', async () => {
    const { id = '' } = await save(admin, { name: 'Full', scope: ACCOUNT, filter: 'disk>90' });
    const changed = await save(admin, { id, name: 'Fuller', scope: PERSON, filter: 'disk>95' });
    expect(changed).toMatchObject({ id, name: 'Fuller', scope: ACCOUNT, accountId: acme, filter: 'disk>95' });
    await filters().delete(admin, { id });
    expect(await names(admin)).not.toContain('Fuller');
    await expect(filters().delete(admin, { id })).rejects.toMatchObject(notFound);
  });

  it("are not another account's", async () => {
    const { id = '' } = await save(admin, { name: 'Ours', scope: ACCOUNT, filter: '' });
    await expect(filters().list(stranger, { accountId: acme, withUses: false })).rejects.toMatchObject(notFound);
    await expect(save(stranger, { name: 'x', scope: ACCOUNT, accountId: acme })).rejects.toMatchObject(notFound);
    await expect(save(stranger, { id, name: 'x' })).rejects.toMatchObject(notFound);
    await expect(filters().delete(stranger, { id })).rejects.toMatchObject(notFound);
    await expect(save(world.superAdmin, { name: 'x', scope: ACCOUNT, accountId: uuidv7() })).rejects.toMatchObject(
      notFound,
    );
  });

  it("are not another person's, of any role", async () => {
    const { id = '' } = await save(member, { name: 'Private' });
    for (const other of [admin, world.superAdmin]) {
      await expect(save(other, { id, name: 'x' })).rejects.toMatchObject(notFound);
      await expect(filters().delete(other, { id })).rejects.toMatchObject(notFound);
    }
    expect(await names(admin)).not.toContain('Private');
  });

  it('are shared by those who may label devices alone', async () => {
    const denied = { code: 'permission_denied' };
    const { id = '' } = await save(admin, { name: 'Shared', scope: ACCOUNT });
    await expect(save(member, { name: 'y', scope: ACCOUNT })).rejects.toMatchObject(denied);
    await expect(save(member, { id, name: 'y' })).rejects.toMatchObject(denied);
    await expect(filters().delete(member, { id })).rejects.toMatchObject(denied);
  });

  it('have unique names, and are refused by name when they are wrong', async () => {
    await save(member, { name: 'Once' });
    await expect(save(member, { name: 'ONCE' })).rejects.toMatchObject({ code: 'already_exists' });
    await save(admin, { name: 'once' });
    await expect(save(member, { name: ' ' })).rejects.toMatchObject({ problems: [{ field: 'filter.name' }] });
    await expect(save(member, { name: 'Wrong', filter: 'cpu>' })).rejects.toMatchObject({
      problems: [{ field: 'filter.filter', message: 'Expected a value after “cpu>”. (at character 4)' }],
    });
  });

  it('are at most 100 of a person, also when they are saved at the same time', async () => {
    const collector = person(acme, Role.MEMBER);
    const several = (first: number, count: number) =>
      Array.from({ length: count }, (_, index) => save(collector, { name: `No. ${first + index}` }));
    const before = SAVED_FILTER_LIMITS.perOwner - 10;
    for (let first = 0; first < before; first += 10) await Promise.all(several(first, 10));
    const answers = await Promise.allSettled(several(before, 15));
    const refused = answers.filter((answer) => answer.status === 'rejected');
    expect(refused.map(({ reason }) => (reason as { code: string }).code)).toEqual(
      Array(5).fill('failed_precondition'),
    );
  });

  it.each([
    ['shared', admin, ACCOUNT, 'account', 'told'],
    ['own', member, PERSON, 'person', null],
  ] as const)('tell the audit trail of each change of %s ones, once', async (_, caller, scope, said, key) => {
    const { id = '' } = await save(caller, { name: 'Told', scope, filter: 'cpu>1' });
    await save(caller, { id, name: 'Told', filter: 'cpu>2' });
    await save(caller, { id, name: 'Told', filter: 'cpu>2' });
    await filters().delete(caller, { id });
    const events = await audited(id);
    const common = { accountId: acme, target: { kind: 'filter', id, name: 'Told' }, details: `{"scope":"${said}"}` };
    expect(events).toEqual([
      { ...common, action: 'filter.save', changed: expect.arrayContaining(['name', 'filter']) },
      { ...common, action: 'filter.change', changed: ['filter'] },
      { ...common, action: 'filter.delete', changed: expect.arrayContaining(['name', 'filter']) },
    ]);
    expect(events[0]?.changed.includes('key')).toBe(key !== null);
  });

  it('tell the account that a person belongs to now of an own one', async () => {
    const before = person(acme, Role.MEMBER);
    const { id = '' } = await save(before, { name: 'Moved' });
    const { userId } = before.kind.value as UserCaller;
    const now = userCaller(create(UserCallerSchema, { userId, accountId: zebra, role: Role.MEMBER }));
    await save(now, { id, name: 'Moved again' });
    expect((await audited(id)).map(({ action, accountId }) => [action, accountId])).toEqual([
      ['filter.save', acme],
      ['filter.change', zebra],
    ]);
  });

  it('go with their person and their account', async () => {
    const leaver = person(zebra, Role.OWNER);
    await save(leaver, { name: 'Left' });
    await filters().forget((leaver.kind.value as { userId: string }).userId);
    expect(await names(leaver)).toEqual([]);
    await save(stranger, { name: 'Zebra', scope: ACCOUNT });
    await world.app.get(AccountEvents).deleted(zebra);
    expect(await world.source.query('SELECT FROM saved_filters WHERE account_id = $1', [zebra])).toEqual([]);
  });
});
