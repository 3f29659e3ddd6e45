import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@warren/infra/until';
import { followingId } from '@warren/platform/events/event.id';
import { newEvent } from '@warren/platform/events/event';
import { AuditOutcome, FormerRowSchema } from '@warren/proto/audit/v1/audit';
import { Role, SortOrder } from '@warren/proto/common/v1/common';
import { v7 as uuidv7, validate } from 'uuid';
import { loggedCheckpoint, readCheckpoints } from '../src/chain/checkpoint.log.ts';
import { searchText } from '../src/list/text.search.ts';
import { Keeper } from '../src/keeping/keeper.ts';
import { Retention } from '../src/keeping/retention.ts';
import { Importer } from '../src/recording/importer.ts';
import { headOf } from '../src/verify/verify.sql.ts';
import { Verifier } from '../src/verify/verifier.ts';
import { AuditWorld, person, renamed } from './audit.world.ts';

let world: AuditWorld;
beforeAll(async () => {
  world = await AuditWorld.start();
});
afterAll(() => world?.end());

/** Publishes events of one account, and waits until they are there. */
async function record(count: number, caller = person(uuidv7())) {
  const accountId = caller.kind.case === 'user' ? caller.kind.value.accountId : '';
  const events = Array.from({ length: count }, () => renamed(caller));
  await world.publish(...events);
  await until(async () => (await world.ids(caller)).length >= count);
  return { caller, accountId, events };
}

describe('events', () => {
  it('are stored once each, in the order of their ids, with all they say', async () => {
    const { caller, events } = await record(5);
    const again = await world.replica();
    await world.publish(...events.map((event) => ({ ...event, time: undefined })));
    const last = renamed(caller, { outcome: 'refused', reason: 'not allowed' });
    await world.publish(last);
    await until(async () => (await world.ids(caller)).includes(last.id));
    await again.close();
    const ids = [...events.map(({ id }) => id), last.id].toSorted().toReversed();
    await expect(world.ids(caller)).resolves.toEqual(ids);
    const { events: [shown] = [] } = await world.list(caller, { outcomes: [AuditOutcome.REFUSED] });
    expect(shown).toMatchObject({
      id: last.id,
      sequence: 6n,
      event: {
        action: 'device.rename',
        reason: 'not allowed',
        origin: { address: '192.0.2.7', userAgent: 'Firefox' },
        changes: [{ field: 'name', before: '"pump-6"', after: '"pump-7"' }],
      },
    });
  });

  it('are those of one account, unless the operator asks', async () => {
    const { caller, events, accountId } = await record(1);
    const other = await record(1);
    expect(await world.ids(caller)).toEqual([events[0]?.id]);
    await expect(world.list(caller, { accountId: other.accountId })).rejects.toMatchObject({ code: 'not_found' });
    await expect(world.list(person(accountId, Role.MEMBER))).rejects.toMatchObject({ code: 'permission_denied' });
    const seen = await world.ids(world.operator);
    expect(seen).toEqual(expect.arrayContaining([events[0]?.id, other.events[0]?.id]));
    expect(await world.ids(world.operator, { accountId })).toEqual([events[0]?.id]);
  });

  it('are found by each filter, and by all of them together', async () => {
    const caller = person(uuidv7());
    const user = caller.kind.value as { userId: string; email: string };
    const [one, two, three] = [
      renamed(caller, { target: { kind: 'device', id: 'd-1', name: 'Pumpe 100%_' } }),
      renamed(caller, { action: 'device.reboot', outcome: 'failed', reason: 'offline' }),
      renamed(person(uuidv7()), {
        accountId: (caller.kind.value as { accountId: string }).accountId,
        action: 'device.move',
      }),
    ];
    await world.publish(one, two, three);
    await until(async () => (await world.ids(caller)).length === 3);
    const byTime = [three.id, two.id, one.id].toSorted().toReversed();
    const found = (filter: Parameters<AuditWorld['ids']>[1]) => world.ids(caller, filter);
    expect(await found({ actorId: user.userId })).toEqual(byTime.filter((id) => id !== three.id));
    expect(await found({ actorEmail: user.email })).toHaveLength(2);
    expect(await found({ actions: ['device.reboot'] })).toEqual([two.id]);
    expect(await found({ actions: ['device.reboot', 'device.move'] })).toEqual(byTime.filter((id) => id !== one.id));
    expect(await found({ targetId: 'd-1' })).toEqual([one.id]);
    expect(await found({ outcomes: [AuditOutcome.FAILED, AuditOutcome.REFUSED] })).toEqual([two.id]);
    expect(await found({ requestId: caller.requestId })).toHaveLength(2);
    expect(await found({ text: 'PUMPE 100%_' })).toEqual([one.id]);
    expect(await found({ text: 'pumpe 1000' })).toEqual([]);
    const [past, future] = [new Date(Date.now() - 60_000), new Date(Date.now() + 60_000)].map(timestampFromDate);
    expect(await found({ ...(past && { from: past }), ...(future && { to: future }) })).toHaveLength(3);
    expect(await found({ ...(past && { to: past }) })).toEqual([]);
    expect(await found({ actorId: user.userId, actions: ['device.rename'], text: 'pumpe', targetId: 'd-1' })).toEqual([
      one.id,
    ]);
    await expect(found({ text: 'xy' })).rejects.toMatchObject({ problems: [{ field: 'text' }] });
    await expect(found({ accountId: 'x' })).rejects.toMatchObject({ problems: [{ field: 'account' }] });
  });

  it('come page by page, in either order, while others are recorded', async () => {
    const { caller, events } = await record(7);
    const ids = events.map(({ id }) => id).toSorted();
    for (const order of [SortOrder.ASC, SortOrder.DESC]) {
      const seen: string[] = [];
      for (let cursor: string | undefined = ''; cursor !== undefined;) {
        const { events: page = [], nextCursor } = await world.list(caller, {}, { limit: 3, cursor, order });
        seen.push(...page.map(({ id }) => id ?? ''));
        cursor = nextCursor || undefined;
      }
      expect(seen).toEqual(order === SortOrder.ASC ? ids : ids.toReversed());
    }
  });

  it('are found by a rare text page by page, over months, each once', async () => {
    const caller = person(uuidv7());
    const accountId = (caller.kind.value as { accountId: string }).accountId;
    const old = Array.from({ length: 30 }, (_, at) => {
      const msecs = Date.now() - at * 5 * 86_400_000;
      return { ...renamed(caller, { reason: at % 4 === 0 ? 'The drill' : 'Else' }), id: uuidv7({ msecs }) };
    });
    await world.publish(...old);
    await until(async () => (await world.ids(caller)).length === old.length);
    const wanted = old.filter((_, at) => at % 4 === 0).map(({ id }) => id);
    const none = { from: undefined, to: undefined, actorId: '', actorEmail: '', targetId: '', requestId: '' };
    const conditions = { ...none, accountId, actions: ['device.rename', 'x.y'], outcomes: [], text: 'the drill' };
    for (const few of [0, 1_000]) {
      const seen: string[] = [];
      let pages = 0;
      for (let to: string | undefined, more = true; more; pages++) {
        const options = { limit: 5, budgetMs: 0, chunkOfAccount: 3, few };
        const page = await searchText(world.source, { ...conditions, to }, options);
        seen.push(...page.events.map(({ id }) => id));
        expect(validate(page.next ?? accountId)).toBe(true);
        to = page.next ?? (page.events.length === 5 ? page.events.at(-1)?.id : undefined);
        more = to !== undefined;
      }
      expect(seen).toEqual(wanted);
      expect(pages).toBeGreaterThan(2);
    }
    expect(await world.ids(caller, { text: 'THE DRILL' })).toEqual(wanted);
    const from = new Date(Date.now() - 50 * 86_400_000);
    expect(await world.ids(caller, { text: 'drill', from: timestampFromDate(from) })).toEqual(wanted.slice(0, 3));
  });

  it('of services of 0.1 and rows of an older identity are one, as are those with an id of no time', async () => {
    const caller = person(uuidv7());
    const accountId = (caller.kind.value as { accountId: string }).accountId;
    const value = { accountId, accountName: 'Acme', by: 'ada@a.example', window: 'Mo 02:00' };
    const former = newEvent({ accountId, actor: 'u1', kind: { case: 'updateWindowChanged', value } });
    await world.publish(former, newEvent({ accountId, audited: true, kind: { case: 'updateWindowChanged', value } }));
    const odd = { ...renamed(caller), id: '11111111-1111-4111-8111-111111111111' };
    await world.publish(odd);
    await until(async () => (await world.ids(caller)).length === 2);
    const [row, signIn] = [former.id, uuidv7()].map((id, at) =>
      create(FormerRowSchema, {
        id,
        ...(former.time && { time: former.time }),
        action: at === 0 ? 'update_window_changed' : 'sign_in',
        actor: `${accountId}@a.example`,
        detail: 'x',
      }),
    );
    for (let times = 0; times < 2; times++)
      await world.app.get(Importer).add([row, signIn].filter((one) => one !== undefined));
    expect(await world.ids(caller)).toHaveLength(2);
    expect(await world.ids(caller)).toContain(followingId(former.id, 'audit'));
    const found = await world.list(world.operator, { actorEmail: `${accountId}@a.example` });
    expect(found.events).toMatchObject([{ id: signIn?.id, accountId: '', event: { action: 'session.sign_in' } }]);
  });
});

describe('the chain', () => {
  const problems = async (accountId: string, outside: Parameters<Verifier['verify']>[1] = []) =>
    (await world.app.get(Verifier).verify(accountId, outside)).problems.map(({ what }) => what);
  /** As somebody with all rights in the database, who switches the triggers off. */
  const tamper = (sql: string) => world.admin(`SET session_replication_role = replica; ${sql}`);
  const at = (accountId: string, sequence: number) => `account_id = '${accountId}' AND sequence = ${sequence}`;

  it('is whole as long as nobody changes it, and service and administrator may not', async () => {
    const { accountId } = await record(4);
    expect(await problems(accountId)).toEqual([]);
    for (const sql of [
      'DELETE FROM events',
      'UPDATE events SET action = $$x$$',
      'TRUNCATE events',
      'DROP TABLE audit.events',
      'DELETE FROM checkpoints',
    ])
      await expect(world.source.query(sql)).rejects.toThrow(/permission denied|must be owner/);
    await expect(world.admin('DELETE FROM audit.events')).rejects.toThrow('only grows');
    await expect(world.source.query('SELECT remove_events($1, 4, 10)', [accountId])).rejects.toThrow('no checkpoint');
    await expect(
      world.source.query(`SELECT drop_events_partition(date_trunc('month', now())::date) AS d`),
    ).resolves.toEqual([{ d: false }]);
  });

  it.each<[string, (accountId: string) => string, RegExp]>([
    ['a removed event', (id) => `DELETE FROM audit.events WHERE ${at(id, 2)}`, /^event 2 is missing$/],
    ['removed events at the end', (id) => `DELETE FROM audit.events WHERE ${at(id, 4)}`, /^event 4 is missing$/],
    [
      'all of them removed',
      (id) => `DELETE FROM audit.events WHERE account_id = '${id}'`,
      /^events 1 to 4 are missing$/,
    ],
    [
      'a changed event',
      (id) => `UPDATE audit.events SET event = replace(event::text, 'Ada', 'Eve')::json WHERE ${at(id, 3)}`,
      /was changed$/,
    ],
    [
      'another time',
      (id) => `UPDATE audit.events SET time = time - interval '1 day' WHERE ${at(id, 3)}`,
      /was changed$/,
    ],
    ['a column that filters read', (id) => `UPDATE audit.events SET actor_id = 'x' WHERE ${at(id, 3)}`, /has columns/],
    [
      'an event of another account',
      (id) => `UPDATE audit.events SET account_id = gen_random_uuid() WHERE ${at(id, 1)}`,
      /^event 1 is missing$/,
    ],
    [
      'a shortened chain whose end was set back',
      (id) => `DELETE FROM audit.events WHERE ${at(id, 4)};
        UPDATE trail.chains c SET sequence = 3, hash = e.hash FROM audit.events e WHERE c.account_id = '${id}' AND e.account_id = '${id}' AND e.sequence = 3`,
      /the end of the chain can't be trusted: wrong signature/,
    ],
    ['no end', (id) => `DELETE FROM trail.chains WHERE account_id = '${id}'`, /the end of the chain is not known/],
  ])('shows %s', async (_what, sql, problem) => {
    const { accountId } = await record(4);
    await tamper(sql(accountId));
    const found = await problems(accountId);
    expect(found.length).toBeGreaterThan(0);
    expect(found.every((what) => problem.test(what))).toBe(true);
  });

  it('set back with the signature of then shows by a checkpoint of the log', async () => {
    const { accountId, caller } = await record(2);
    await world.app.get(Keeper).checkpoint();
    await world.admin(`CREATE TABLE former_head AS SELECT * FROM trail.chains WHERE account_id = '${accountId}'`);
    await record(3, caller);
    await until(async () => (await world.ids(caller)).length === 5);
    const head = await headOf(world.source, accountId);
    if (!head) throw new Error('There is no chain.');
    const log = `a line\n12:00 ${JSON.stringify({ level: 30, ...loggedCheckpoint(head), msg: 'Audit checkpoint.' })}\n`;
    await tamper(`DELETE FROM audit.events WHERE account_id = '${accountId}' AND sequence > 2;
      UPDATE trail.chains c SET sequence = t.sequence, hash = t.hash, time = t.time, signature = t.signature FROM former_head t WHERE c.account_id = t.account_id;
      DROP TABLE former_head`);
    expect(await problems(accountId)).toEqual([]);
    expect(await problems(accountId, readCheckpoints(log))).toEqual(['events 3 to 5 are missing']);
  });

  it('stays whole when events are past their retention, which removes those alone', async () => {
    const caller = person(uuidv7());
    const accountId = (caller.kind.value as { accountId: string }).accountId;
    const old = (days: number) => {
      const time = new Date(Date.now() - days * 86_400_000);
      const event = renamed(caller);
      return { ...event, id: uuidv7({ msecs: time.getTime() }), time: timestampFromDate(time) };
    };
    const [past, present] = [Array.from({ length: 12 }, (_, at) => old(200 - at)), [old(20), old(0), old(0)]];
    for (const event of [...past, ...present]) {
      await world.publish(event);
      await until(async () => (await world.ids(caller)).includes(event.id));
    }
    const retention = world.app.get(Retention);
    const admin = person(accountId, Role.ADMIN);
    await expect(retention.set(admin, { accountId, months: 3 })).rejects.toMatchObject({ code: 'permission_denied' });
    await expect(retention.set(caller, { accountId, months: 7 })).resolves.toMatchObject({ months: 7 });
    await expect(retention.set(world.operator, { accountId, months: 0 })).rejects.toMatchObject({
      problems: [{ field: 'months' }],
    });
    await expect(retention.set(world.operator, { accountId, months: 3 })).resolves.toEqual({
      months: 3,
      defaultMonths: 24,
    });
    const other = await record(1);
    await retention.apply(new Date());
    const left = await world.list(caller);
    expect(left.events?.map(({ id }) => id)).toEqual(expect.arrayContaining(present.map(({ id }) => id)));
    expect(left.events).toHaveLength(present.length + 2);
    expect(left.events?.find(({ event }) => event?.action === 'audit.set_retention')).toMatchObject({
      event: { changes: [{ field: 'months', after: '3' }] },
    });
    expect(await problems(accountId)).toEqual([]);
    expect(await problems(other.accountId)).toEqual([]);
    const months = await world.source.query(
      `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'events'::regclass`,
    );
    expect(months).not.toContainEqual({
      name: expect.stringContaining(new Date(Date.now() - 200 * 86_400_000).toISOString().slice(0, 7).replace('-', '')),
    });
  });
});
