import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { startNats } from '@warren/infra/nats';
import type { TestDatabase } from '@warren/infra/test-database';
import { Role } from '@warren/proto/common/v1/common';
import { DeviceFeature } from '@warren/proto/devices/v1/devices';
import { v7 as uuidv7 } from 'uuid';
import { DeviceManagementService } from '../src/devices/device-management.service.ts';
import { user } from './callers.ts';
import { devicesDatabase, enrolDevice, startAccounts, startDevices } from './devices.process.ts';

/** Changes again if no connection was free in time: they wait for one another's row, on a busy machine for seconds. */
async function whileBusy(change: () => Promise<unknown>): Promise<unknown> {
  for (;;) {
    try {
      return await change();
    } catch (error) {
      if (!(error instanceof Error) || !error.message.startsWith('timeout exceeded')) throw error;
    }
  }
}

describe('fifty changes of one device at the same time', () => {
  let database: TestDatabase;
  let nats: Awaited<ReturnType<typeof startNats>>;
  let tenancy: INestApplicationContext;
  let app: INestApplicationContext;
  const [acme, other] = [uuidv7(), uuidv7()];
  const superAdmin = user(uuidv7(), Role.SUPER_ADMIN, true);

  beforeAll(async () => {
    [database, nats] = await Promise.all([devicesDatabase(), startNats()]);
    const names = new Map([
      [acme, 'Acme'],
      [other, 'Other'],
    ]);
    tenancy = await startAccounts(nats.url, names);
    app = await startDevices({ database: database.url, nats: nats.url, redis: process.env['TEST_REDIS_URL'] ?? '' });
  });

  afterAll(async () => {
    await app?.close();
    await tenancy?.close();
    await nats?.stop();
    await database?.drop();
  });

  it('all happen until it is deleted, and are not found after that', async () => {
    const management = app.get(DeviceManagementService);
    const serial = `serial-${uuidv7()}`;
    const id = await enrolDevice(app, acme, { serial });
    const change = (at: number): Promise<unknown> =>
      [
        () => management.rename(superAdmin, { id, customName: `Name ${at}` }),
        () => management.move(superAdmin, { id, accountId: at % 2 ? other : acme }),
        () => management.setService(superAdmin, { id, serial, feature: DeviceFeature.SSH, enabled: at % 3 === 0 }),
        () => management.setVnc(superAdmin, { id, serial, port: 5900 + at, ip: '' }),
        () => management.enableHttp(superAdmin, { id, serial, port: 8000 + at, ip: '' }),
      ][at % 5]!();
    const all = Array.from({ length: 50 }, (_, at) => at);
    await expect(Promise.all(all.map((at) => whileBusy(() => change(at))))).resolves.toHaveLength(50);
    const last = await Promise.allSettled(
      all.map((at) => whileBusy(() => (at === 25 ? management.delete(superAdmin, { id }) : change(at)))),
    );
    expect(last[25]?.status).toBe('fulfilled');
    for (const result of last)
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'not_found' });
  });
});
