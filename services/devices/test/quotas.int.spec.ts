import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newEvent } from '@warren/platform/events/event';
import { accountsNearQuota } from '@warren/platform/quotas/metrics';
import { QuotaCensus } from '@warren/platform/quotas/quota.census';
import { serviceCaller } from '@warren/platform/rpc/caller';
import { quotasMessage } from '@warren/platform/quotas/quotas';
import type { OwnQuotas } from '@warren/rules/quotas';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { AccountEvents } from '../src/accounts/account.events.ts';
import { DeviceManagementService } from '../src/devices/device-management.service.ts';
import { ReplacementService } from '../src/devices/replacement.service.ts';
import { EnrolmentService } from '../src/enrolment/enrolment.service.ts';
import { TokensService } from '../src/enrolment/tokens.service.ts';
import { facts, newKey } from './devices.process.ts';
import { DevicesWorld } from './devices.world.ts';

const reached = {
  code: 'quota_reached',
  message:
    'This account may have 2 devices. Delete a device that is no longer used, or ask the operator of this hub for a higher limit.',
};

describe('the quota of devices', () => {
  const other = uuidv7();
  const names = new Map([[other, 'Other']]);
  let world: DevicesWorld;
  let acme: string;

  beforeAll(async () => {
    world = await DevicesWorld.start(names);
  });
  afterAll(() => world?.end());

  beforeEach(async () => {
    acme = uuidv7();
    names.set(acme, 'Acme');
    await told({ devices: 2 });
  });

  /** Publishes an account as tenancy does; without quotas as an older version does. */
  const told = (quotas?: OwnQuotas, account = { accountId: acme, operator: false }) => {
    const value = { ...account, name: 'Acme', active: true, ...(quotas ? { ownQuotas: quotasMessage(quotas) } : {}) };
    const event = newEvent({ accountId: acme, kind: { case: 'accountChanged', value } });
    return world.app.get(AccountEvents).changed(event, event.kind.value as never);
  };
  const count = async () => {
    const rows = await world.app
      .get(DataSource)
      .query<{ n: number }[]>('SELECT count(*)::int AS n FROM devices WHERE account_id = $1', [acme]);
    return rows[0]?.n;
  };
  const full = async () => {
    const { values } = await accountsNearQuota.get();
    return values.find(({ labels }) => labels.quota === 'devices' && labels.share === '1')?.value ?? 0;
  };
  const token = (uses: number) => world.app.get(TokensService).create(world.superAdmin, { accountId: acme, uses });
  const enrol = (secret: string) => {
    const { publicKey, prove } = newKey();
    return world.app.get(EnrolmentService).enrol(serviceCaller('gateway'), {
      accountId: acme,
      token: secret,
      publicKey,
      proof: prove(secret),
      serial: uuidv7(),
      facts: facts(),
      publicIp: '',
    });
  };

  it('is held by devices that come at the same time, with one token and with many', async () => {
    const { token: shared = '' } = await token(6);
    const single = await Promise.all(Array.from({ length: 6 }, async () => (await token(1)).token ?? ''));
    const attempts = await Promise.allSettled([...single.map(enrol), ...single.map(() => enrol(shared))]);
    expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    for (const attempt of attempts) if (attempt.status === 'rejected') expect(attempt.reason).toMatchObject(reached);
    expect(await count()).toBe(2);
  });

  it('leaves the token its uses, so that it lets the device in once there is room', async () => {
    const [first] = [await world.enrol(acme), await world.enrol(acme)];
    const { token: secret = '', room } = await token(1);
    expect(room).toBe(0);
    await expect(enrol(secret)).rejects.toMatchObject(reached);
    await world.app.get(DeviceManagementService).delete(world.superAdmin, { id: first.id });
    await enrol(secret);
  });

  it('lets a device come back that was set up again, which counts once when it replaces its old entry', async () => {
    const [old] = [await world.enrol(acme), await world.enrol(acme)];
    const fresh = await world.enrol(acme, old.serial);
    // A third entry of one machine is one too many.
    await expect(world.enrol(acme, old.serial)).rejects.toMatchObject(reached);
    const replacement = { id: fresh.id, replacedId: old.id, newHardware: false };
    await world.app.get(ReplacementService).replace(world.superAdmin, replacement);
    expect(await count()).toBe(2);
  });

  it('lets nothing in under the serial of a device that is connected', async () => {
    const [one] = [await world.enrol(acme), await world.enrol(acme)];
    await world.app.get(DataSource).query('UPDATE devices SET connected = true WHERE id = $1', [one.id]);
    await expect(world.enrol(acme, one.serial)).rejects.toMatchObject(reached);
  });

  it('applies to a device that is moved in, not to existing ones', async () => {
    const { id } = await world.enrol(other);
    const [own] = [await world.enrol(acme), await world.enrol(acme)];
    const move = (device: string) =>
      world.app.get(DeviceManagementService).move(world.superAdmin, { id: device, accountId: acme });
    await expect(move(id)).rejects.toMatchObject(reached);
    await expect(move(own.id)).resolves.toMatchObject({ device: { accountId: acme } });
  });

  it('follows the events of tenancy, and stays as it was when an older tenancy sends none', async () => {
    await world.enrol(acme);
    await told({ devices: 1 });
    await told();
    await expect(world.enrol(acme)).rejects.toMatchObject({ code: 'quota_reached' });
    await told({ devices: null });
    await world.enrol(acme);
    expect((await token(1)).room).toBeUndefined();
    await told({});
    expect((await token(1)).room).toBe(9_998);
  });

  it('is counted in a metric', async () => {
    await world.enrol(acme);
    await world.app.get(QuotaCensus).count();
    const before = await full();
    await world.enrol(acme);
    await world.app.get(QuotaCensus).count();
    expect((await full()) - before).toBe(1);
  });

  it('is none for the operator account', async () => {
    await told({ devices: 0 }, { accountId: acme, operator: true });
    await world.enrol(acme);
  });
});
