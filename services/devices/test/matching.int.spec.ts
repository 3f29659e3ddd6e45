import type { MessageInitShape } from '@bufbuild/protobuf';
import { create } from '@bufbuild/protobuf';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { serviceCaller } from '@warren/platform/rpc/caller';
import { ActivityKind } from '@warren/proto/devices/v1/devices';
import { DeviceQuerySchema } from '@warren/proto/devices/v1/matching';
import { v7 as uuidv7 } from 'uuid';
import { MatchingService } from '../src/matching/matching.service.ts';
import { DevicesWorld } from './devices.world.ts';

// A machine that is busy takes its time.
const HOUR = 3_600_000;
const fleet = serviceCaller('fleet');
type Query = MessageInitShape<typeof DeviceQuerySchema>;

/** A device that is connected and well, unless it says otherwise. */
interface Made {
  name?: string;
  connected?: boolean;
  never?: boolean;
  /** Hours since it was connected, disconnected or enrolled. */
  since?: number;
  disk?: number;
  /** Facts that older agents do not report. */
  facts?: object;
}

describe('devices that a condition holds for', () => {
  let world: DevicesWorld;
  const [acme, zebra] = [uuidv7(), uuidv7()];

  beforeAll(async () => {
    world = await DevicesWorld.start(new Map());
    await world.source.query(
      `INSERT INTO accounts (id, name, active, operator, as_of) VALUES ($1, 'Acme', true, false, now()), ($2, 'Zebra', true, false, now())`,
      [acme, zebra],
    );
  });
  afterAll(() => world?.end());

  async function add(
    account: string,
    { name = 'pi', connected = true, never = false, since = 1, disk = 10, facts = {} }: Made = {},
  ) {
    const id = uuidv7();
    const at = new Date(Date.now() - since * HOUR);
    await world.source.query(
      `INSERT INTO devices (id, account_id, account_name, serial, slug, name, connected, connection_epoch, status_since, created, total_disk)
       VALUES ($1::uuid, $2, 'x', $1::uuid::text, $1::uuid::text, $3, $4, $5, $6, $6, 1000)`,
      [id, account, name, connected, never ? 0 : 7, at],
    );
    await world.source.query(
      `INSERT INTO device_facts (device_id, cpu_usage, used_ram, used_disk, uptime_seconds, reported, facts_at, facts,
         fullest_disk_usage, clock_offset)
       SELECT $1, 1, 1, $2, 1, now(), now(), $3, fullest_disk_usage, clock_offset
       FROM jsonb_to_record($3) AS r (fullest_disk_usage float8, clock_offset integer)`,
      [id, disk * 10, JSON.stringify(facts)],
    );
    return id;
  }

  const ask = async (queries: Query[], after = '') =>
    world.app
      .get(MatchingService)
      .match(fleet, { queries: queries.map((one) => create(DeviceQuerySchema, one)), after });
  const found = async (query: Query) => {
    const { answers } = await ask([{ accountIds: [acme, zebra], ...query }]);
    return answers[0]?.matches ?? [];
  };
  const ids = async (query: Query) => (await found(query)).map(({ deviceId }) => deviceId);
  const expression = (value: string): Query => ({ condition: { case: 'expression', value } });

  it('are found in all accounts of a query at once, and in no others', async () => {
    const [own, other, foreign] = [await add(acme), await add(zebra), uuidv7()];
    await world.source.query(
      `INSERT INTO accounts (id, name, active, operator, as_of) VALUES ($1, 'Other', true, false, now())`,
      [foreign],
    );
    const hidden = await add(foreign);
    expect(await ids({})).toEqual(expect.arrayContaining([own, other]));
    expect(await ids({ filter: `account=${foreign} or status=connected` })).not.toContain(hidden);
    expect(await ids({ accountIds: [acme] })).not.toContain(other);
    expect(await ids({ deviceIds: [other, hidden] })).toEqual([other]);
  });

  it('tell those that are offline from those that were never connected', async () => {
    const lost = await add(acme, { name: 'lost', connected: false, since: 2 });
    const fresh = await add(acme, { name: 'fresh', connected: false, since: 0 });
    const never = await add(acme, { name: 'never', connected: false, never: true, since: 30 });
    const offline = await found(expression('status=disconnected last_seen>10m last_seen!=never'));
    expect(offline).toMatchObject([{ deviceId: lost, accountId: acme, name: 'lost', current: true }]);
    expect(await ids(expression('last_seen=never created>1d'))).toEqual([never]);
    expect(await ids(expression('status=disconnected'))).toEqual(expect.arrayContaining([lost, fresh, never]));
  });

  it('have the value that was compared, and whether it is current', async () => {
    const full = await add(acme, { name: 'full', disk: 95 });
    const lost = await add(acme, { name: 'full too', disk: 97, connected: false });
    expect(await found({ ...expression('disk>90'), filter: 'name~full' })).toMatchObject([
      { deviceId: full, value: 95, current: true, detail: 'on /' },
      { deviceId: lost, value: 97, current: false, detail: 'on /' },
    ]);
  });

  it('are those of which any disk is full, as far as the agent tells of more than the root', async () => {
    const data = { fullest_disk: '/srv/data', fullest_disk_usage: 96.5 };
    const stuffed = await add(acme, { name: 'stuffed', facts: data });
    // A replica of 0.1.0 has written last.
    const older = await add(acme, { name: 'stuffed too', disk: 12, facts: data });
    await world.source.query(`UPDATE device_facts SET reported = now() + interval '1 second' WHERE device_id = $1`, [
      older,
    ]);
    expect(await found({ ...expression('disk>90'), filter: 'name~stuffed' })).toMatchObject([
      { deviceId: stuffed, value: 96.5, detail: 'on /srv/data' },
    ]);
    expect(await ids({ ...expression('disk<=12'), filter: 'name~stuffed' })).toEqual([older]);
  });

  it('are those whose clock is wrong, and which way', async () => {
    const fast = await add(acme, { name: 'clock', facts: { clock_offset: 90 } });
    const slow = await add(acme, { name: 'clock', facts: { clock_offset: -7_200 } });
    await add(acme, { name: 'clock', facts: { clock_offset: -60 } });
    await add(acme, { name: 'clock' });
    expect(await found({ ...expression('clock>60s'), filter: 'name=clock' })).toMatchObject([
      { deviceId: fast, value: 90, detail: 'ahead', current: true },
      { deviceId: slow, value: 7_200, detail: 'behind', current: true },
    ]);
  });

  it('are those whose link broke so often, in the account that they are in', async () => {
    const [flapping, calm, moved] = [await add(acme), await add(acme), await add(zebra)];
    const history = async (device: string, account: string, minutes: number[]) => {
      for (const ago of minutes)
        await world.source.query(
          `INSERT INTO device_history (at, account_id, device_id, kind, device_name)
           VALUES (now() - make_interval(mins => $1::int), $2, $3, $4, 'pi')`,
          [ago, account, device, ActivityKind.DISCONNECTED],
        );
    };
    await history(flapping, acme, [1, 5, 30, 50, 59]);
    await history(calm, acme, [1, 5, 30, 50, 61]);
    await history(moved, acme, [1, 2, 3, 4, 5]);
    const query: Query = { condition: { case: 'linkBreaks', value: { times: 5, minutes: 60 } } };
    expect(await found(query)).toMatchObject([{ deviceId: flapping, value: 5 }]);
  });

  it('are those whose update failed, until one succeeds or the version is rolled back', async () => {
    const [failed, updated] = [await add(acme), await add(acme)];
    const rollout = async (version: string, state = 'running') => {
      const id = uuidv7();
      await world.source.query(
        `INSERT INTO rollouts (id, version, share, state, created_by) VALUES ($1, $2, 100, $3, 'x')`,
        [id, version, state],
      );
      return id;
    };
    const report = (id: string, device: string, state: string, ago: number) =>
      world.source.query(
        `INSERT INTO rollout_devices (rollout_id, device_id, state, why, from_version, since)
         VALUES ($1, $2, $3, 'no space left', '0.1.0', now() - make_interval(mins => $4::int))`,
        [id, device, state, ago],
      );
    const [first, second] = [await rollout('0.2.0'), await rollout('0.3.0')];
    await report(first, failed, 'failed', 60);
    await report(first, updated, 'failed', 60);
    await report(second, updated, 'updated', 30);
    const query: Query = { condition: { case: 'failedUpdate', value: {} } };
    expect(await found(query)).toMatchObject([{ deviceId: failed, detail: '0.2.0 failed: no space left' }]);
    await world.source.query(`UPDATE rollouts SET state = 'rolled_back' WHERE id = $1`, [first]);
    expect(await found(query)).toEqual([]);
  });

  it('are those on which a bulk job failed, from its end until a later one does the same', async () => {
    const [broken, mended, missed, moved, busy] = await Promise.all([1, 2, 3, 4, 5].map(() => add(acme)));
    type Outcome = [device: string | undefined, state: string, code?: string, account?: string];
    const job = async (action: string, ago: number, state: string, outcomes: Outcome[]) => {
      const id = uuidv7();
      await world.source.query(
        `INSERT INTO bulk_jobs (id, account_id, user_id, user_email, user_name, action, filter_account_name, target_account_name, state, created)
         VALUES ($1, $2, $2, 'x', 'x', $3, '', '', $4, now() - make_interval(mins => $5::int))`,
        [id, uuidv7(), action, state, ago],
      );
      for (const [device, state, code = 'offline', account = acme] of outcomes)
        await world.source.query(
          `INSERT INTO bulk_devices (job_id, device_id, place, device_name, account_id, state, code, reason)
           VALUES ($1, $2, 1, 'pi', $3, $4, $5, 'The device is not connected.')`,
          [id, device, account, state, code],
        );
    };
    await job('reboot', 60, 'done', [
      [broken, 'failed'],
      [mended, 'failed'],
      [missed, 'failed', 'permission_denied'],
      [moved, 'failed', 'offline', zebra],
    ]);
    await job('disable_web', 50, 'cancelled', [[mended, 'failed']]);
    await job('update', 40, 'done', [[broken, 'done']]);
    await job('update', 10, 'running', [[busy, 'failed']]);
    const query: Query = { condition: { case: 'failedJob', value: {} } };
    expect(await found(query)).toMatchObject([
      { deviceId: broken, detail: 'reboot: The device is not connected.', current: true },
      { deviceId: mended, detail: 'disable web: The device is not connected.' },
    ]);
    await job('reboot', 5, 'done', [[mended, 'done']]);
    await job('enable_web', 5, 'done', [[mended, 'done']]);
    expect(await ids(query)).toEqual([broken]);
  });

  it('come in answers of 2,000, one query after the other', async () => {
    const many = uuidv7();
    await world.source.query(
      `INSERT INTO accounts (id, name, active, operator, as_of) VALUES ($1, 'Many', true, false, now())`,
      [many],
    );
    // In parts, each within the time of a statement on a loaded machine.
    for (let part = 0; part < 9; part++)
      await world.source.query(
        `INSERT INTO devices (id, account_id, account_name, serial, slug, name)
         SELECT id, $1, 'Many', id::text, id::text, 'pi' FROM (SELECT gen_random_uuid() AS id FROM generate_series(1, 500)) made`,
        [many],
      );
    const query: Query = { accountIds: [many] };
    const seen = new Set<string | undefined>();
    const sizes: number[] = [];
    for (let after = '', more = true; more;) {
      const { answers } = await ask([query, { accountIds: [acme] }], after);
      for (const { deviceId } of answers[0]?.matches ?? []) seen.add(deviceId);
      sizes.push(answers.length);
      after = answers[0]?.next ?? '';
      more = after !== '';
    }
    expect(seen.size).toBe(4_500);
    expect(sizes).toEqual([1, 1, 2]);
    const counts = await world.app.get(MatchingService).count(fleet, { queries: [create(DeviceQuerySchema, query)] });
    expect(counts).toEqual({ counts: [4_500] });
  });

  it('are asked for by fleet alone, within bounds', async () => {
    const matching = world.app.get(MatchingService);
    for (const caller of [serviceCaller('tunnels'), world.superAdmin]) {
      await expect(matching.match(caller, { queries: [], after: '' })).rejects.toMatchObject({
        code: 'permission_denied',
      });
      await expect(matching.count(caller, { queries: [] })).rejects.toMatchObject({ code: 'permission_denied' });
      await expect(matching.accounts(caller, { after: '' })).rejects.toMatchObject({ code: 'permission_denied' });
    }
    const wrong: Query[][] = [
      Array.from({ length: 101 }, () => ({})),
      [{ accountIds: Array.from({ length: 10_001 }, () => acme) }],
      [{ accountIds: ['nonsense'] }],
      [{ accountIds: [acme], filter: 'cpu>' }],
      [{ accountIds: [acme], ...expression('x'.repeat(1_001)) }],
    ];
    for (const queries of wrong) await expect(ask(queries)).rejects.toMatchObject({ code: 'invalid_argument' });
  });

  it('are of accounts that are listed with their names', async () => {
    const empty = uuidv7();
    await world.source.query(
      `INSERT INTO accounts (id, name, active, operator, as_of) VALUES ($1, 'Empty', true, false, now())`,
      [empty],
    );
    await add(acme);
    const { accounts = [] } = await world.app.get(MatchingService).accounts(fleet, { after: '' });
    expect(accounts).toContainEqual({ id: acme, name: 'Acme', hasDevices: true });
    expect(accounts).toContainEqual({ id: empty, name: 'Empty', hasDevices: false });
    const last = accounts.at(-1)?.id ?? '';
    expect(await world.app.get(MatchingService).accounts(fleet, { after: last })).toEqual({ accounts: [] });
  });
});
