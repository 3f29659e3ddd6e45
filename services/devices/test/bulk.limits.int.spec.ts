import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Role } from '@warren/proto/common/v1/common';
import { BulkAction } from '@warren/proto/devices/v1/bulk';
import { v7 as uuidv7 } from 'uuid';
import { failuresOf } from './bulk.failures.ts';
import { BulkWorld, gate } from './bulk.world.ts';

const { REBOOT, MOVE, DELETE } = BulkAction;
const notFound = { code: 'not_found' };

describe('bulk jobs', () => {
  const world = new BulkWorld();
  let admin: ReturnType<BulkWorld['person']>;

  beforeAll(() => world.start());
  afterAll(() => world.stop());
  beforeEach(async () => {
    await world.clear();
    admin = world.person(Role.SUPER_ADMIN);
  });

  it("are not another account's, nor of its devices", async () => {
    const [own = ''] = await world.fleet(1);
    const owner = world.person(Role.OWNER, world.acme);
    const request = { ids: [own], filter: '', targetAccountId: '', atMost: 0 };
    for (const accountId of ['', world.acme])
      await expect(world.bulk.start(owner.caller, { action: REBOOT, accountId, ...request })).rejects.toMatchObject({
        code: 'permission_denied',
      });
    await expect(
      world.bulk.start(owner.caller, { action: DELETE, accountId: world.other, ...request, ids: [] }),
    ).rejects.toMatchObject(notFound);
    const id = await world.begin(admin, REBOOT, { ids: [own] });
    await expect(world.bulk.get(owner.caller, { id })).rejects.toMatchObject(notFound);
    await expect(world.bulk.cancel(owner.caller, { id })).rejects.toMatchObject(notFound);
    expect((await world.bulk.list(owner.caller)).jobs).toEqual([]);
    expect((await world.bulk.list(admin.caller)).jobs).toMatchObject([{ id }]);
  });

  it('select in the account alone that they name, and report ids that are not there', async () => {
    const [mine = ''] = await world.fleet(1);
    const [theirs = ''] = await world.fleet(1, world.other);
    const unknown = uuidv7();
    const id = await world.begin(admin, REBOOT, { ids: [mine, theirs, unknown], accountId: world.acme });
    expect(await failuresOf(world, admin, id)).toEqual([{ code: 'not_found', count: 2, names: ['', ''] }]);
    expect(world.rebooted).toEqual([mine]);
    await expect(world.begin(admin, MOVE, { ids: [mine], targetAccountId: uuidv7() })).rejects.toMatchObject(notFound);
  });

  it('are bounded: in devices, and in jobs at the same time also when they start at once', async () => {
    await world.fleet(3);
    const start = () => world.begin(admin, REBOOT, { filter: '' });
    await expect(world.begin(admin, REBOOT, { filter: '', atMost: 2 })).rejects.toMatchObject({
      message: 'more than 2 devices match it.',
    });
    await expect(world.begin(admin, REBOOT, { filter: 'name=nothing' })).rejects.toMatchObject({
      code: 'invalid_argument',
    });
    const release = gate();
    world.onReboot = () => release.open;
    const started = await Promise.allSettled([start(), start(), start(), start()]);
    release.unlock();
    expect(started.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    expect(started.filter(({ status }) => status === 'rejected')).toMatchObject([
      { reason: { code: 'failed_precondition' } },
      { reason: { code: 'failed_precondition' } },
    ]);
    for (const one of started) if (one.status === 'fulfilled') await world.over(admin, one.value);
  });
});
