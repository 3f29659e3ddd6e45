import { timestampDate } from '@bufbuild/protobuf/wkt';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { requireUser, userCaller, type Caller } from '@warren/platform/rpc/caller';
import { Role } from '@warren/proto/common/v1/common';
import { v7 as uuidv7 } from 'uuid';
import { AlertsService } from '../src/alerts/list/alerts.service.ts';
import { AlertTrend } from '../src/alerts/trends/alert.trend.ts';
import { user } from './callers.ts';
import { FleetWorld } from './fleet.world.ts';

const NOBODY = { critical: 0, warning: 0, info: 0 };

describe('open alerts over time', () => {
  let world: FleetWorld;
  let account: string;
  let other: string;

  beforeAll(async () => {
    world = await FleetWorld.start();
  });
  afterAll(() => world?.end());
  beforeEach(() => {
    [account, other] = [uuidv7(), uuidv7()];
  });

  const member = () => user(account, Role.MEMBER);

  /** An alert that opened so many hours ago, and closed so many ago. */
  const alert = (of: string, severity: string, opened: number, closed?: number) =>
    world.source.query(
      `INSERT INTO alerts (id, account_id, rule_id, rule_name, kind, severity, device_id, device_name, state, opened_at, closed_at)
       VALUES ($1, $2, $3, 'Offline', 'offline', $4, $5, 'Pump', $6, now() - $7 * interval '1 hour', now() - $8 * interval '1 hour')`,
      [uuidv7(), of, uuidv7(), severity, uuidv7(), closed === undefined ? 'open' : 'closed', opened, closed ?? null],
    );

  /** What was open so many hours ago; a point at most one step later. */
  async function counts(hours: number, caller: Caller = member(), accountId = account) {
    const found = (await world.app.get(AlertTrend).trend(caller, { accountId, hours })).counts ?? [];
    const points = found.map(({ at, critical, warning, info }) => ({
      at: at ? timestampDate(at as never).getTime() : 0,
      open: { critical, warning, info },
    }));
    const now = points.at(-1)?.at ?? 0;
    return { points, at: (ago: number) => points.find(({ at }) => at >= now - ago * 3_600_000)?.open };
  }

  it('are what was open at each time, and now what is counted now', async () => {
    await alert(account, 'critical', 3.5);
    await alert(account, 'warning', 5.5, 1.5);
    await alert(account, 'info', 400);
    await alert(account, 'info', 400, 300);
    const { points, at } = await counts(6);
    expect(points.length).toBeGreaterThanOrEqual(36);
    expect(at(5.9)).toEqual({ ...NOBODY, info: 1 });
    expect(at(5)).toEqual({ ...NOBODY, info: 1, warning: 1 });
    expect(at(3)).toEqual({ critical: 1, info: 1, warning: 1 });
    const now = await world.app.get(AlertsService).counts(member(), { accountId: account });
    expect(now).toMatchObject({ critical: 1, warning: 0, info: 1 });
    expect(points.at(-1)?.open).toEqual({ critical: 1, warning: 0, info: 1 });
    expect([...points].sort((one, two) => one.at - two.at)).toEqual(points);
  });

  it('have points of an hour over a week', async () => {
    await alert(account, 'warning', 100, 50);
    const { points, at } = await counts(168);
    expect(points.length).toBeLessThanOrEqual(170);
    expect([at(150), at(80), at(20)].map((open) => open?.warning)).toEqual([0, 1, 0]);
  });

  it("are not another account's, nor of devices that nobody has granted", async () => {
    await alert(other, 'critical', 2);
    expect((await counts(6, member(), '')).at(0)).toEqual(NOBODY);
    await expect(counts(6, member(), other)).rejects.toMatchObject({ code: 'not_found' });
    await alert(account, 'critical', 2);
    const ungranted = userCaller({ ...requireUser(member()), explicitGrants: true });
    expect((await counts(6, ungranted)).at(0)).toEqual(NOBODY);
    expect((await counts(6, user(uuidv7(), Role.SUPER_ADMIN, true), '')).at(0)?.critical).toBeGreaterThanOrEqual(2);
  });

  it('are of a time that is kept', async () => {
    for (const hours of [0, 169, 1.5])
      await expect(counts(hours)).rejects.toMatchObject({
        code: 'invalid_argument',
        message: expect.stringContaining('1 to 168'),
      });
  });
});
