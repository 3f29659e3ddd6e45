import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { serviceCaller } from '@warren/platform/rpc/caller';
import { Role } from '@warren/proto/common/v1/common';
import { ActivityKind } from '@warren/proto/devices/v1/devices';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { DevicesService } from '../src/devices/devices.service.ts';
import { ReplacementService } from '../src/devices/replacement.service.ts';
import { rotationText } from '../src/enrolment/proof.ts';
import { RotationService } from '../src/enrolment/rotation.service.ts';
import { ActivityService } from '../src/activity/activity.service.ts';
import { user } from './callers.ts';
import { credentialOf } from './credential.ts';
import { DevicesWorld } from './devices.world.ts';
import { newPair, type KeyPair } from './key.pair.ts';

const gateway = serviceCaller('gateway');

describe("a device's key", () => {
  let world: DevicesWorld;
  let app: INestApplicationContext;
  const acme = uuidv7();
  let superAdmin: DevicesWorld['superAdmin'];

  beforeAll(async () => {
    world = await DevicesWorld.start(new Map([[acme, 'Acme']]));
    ({ app, superAdmin } = world);
  });
  afterAll(() => world.end());

  const enrolled = (serial?: string) => world.enrol(acme, serial);
  const change = (id: string, old: KeyPair, next: KeyPair) => {
    const text = rotationText(id, old.raw, next.raw);
    return {
      deviceId: id,
      oldKey: old.raw,
      newKey: next.raw,
      oldProof: old.sign(text),
      newProof: next.sign(text),
    };
  };
  const rotate = (request: ReturnType<typeof change>) => app.get(RotationService).rotate(gateway, request);
  const keyOf = async (id: string) => {
    const { publicKey = [] } = await credentialOf(app.get(DevicesService), serviceCaller('tunnels'), id);
    return Buffer.from(publicKey).toString('hex');
  };
  const hex = ({ raw }: KeyPair) => Buffer.from(raw).toString('hex');

  it('is exchanged for another with proofs by both, with an event', async () => {
    const { id, pair } = await enrolled();
    const next = newPair();
    await rotate(change(id, pair, next));
    expect(await keyOf(id)).toBe(hex(next));
    const source = app.get(DataSource);
    const [key] = await source.query('SELECT count(*)::int AS keys FROM device_keys WHERE device_id = $1', [id]);
    expect(key.keys).toBe(1);
  });

  it('is changed once, however often it is asked for, and never back', async () => {
    const { id, pair } = await enrolled();
    const [next, third] = [newPair(), newPair()];
    const first = change(id, pair, next);
    await Promise.all([rotate(first), rotate(first), rotate(first)]);
    expect(await keyOf(id)).toBe(hex(next));
    await rotate(change(id, next, third));
    await expect(rotate(first)).rejects.toMatchObject({ code: 'unauthenticated', message: /another key now/ });
    expect(await keyOf(id)).toBe(hex(third));
  });

  it('stays when a proof is wrong, is for another device, or the old key is not its own', async () => {
    const [one, two] = [await enrolled(), await enrolled()];
    const [next, stranger] = [newPair(), newPair()];
    const good = change(one.id, one.pair, next);
    const bad = [
      { ...good, oldProof: stranger.sign('warren-rotate') },
      { ...good, newProof: good.oldProof },
      { ...good, deviceId: two.id },
      { ...good, newKey: new Uint8Array(31) },
      change(one.id, stranger, next),
    ];
    for (const request of bad) await expect(rotate(request)).rejects.toMatchObject({ code: 'unauthenticated' });
    expect(await keyOf(one.id)).toBe(hex(one.pair));
    await expect(rotate(change(one.id, one.pair, two.pair))).rejects.toMatchObject({ code: 'already_exists' });
    await expect(rotate(change(uuidv7(), one.pair, next))).rejects.toMatchObject({ code: 'not_found' });
  });

  it('is for the gateway to change', async () => {
    const { id, pair } = await enrolled();
    const request = change(id, pair, newPair());
    await expect(app.get(RotationService).rotate(superAdmin, request)).rejects.toMatchObject({
      code: 'permission_denied',
    });
  });

  describe('of a device that was set up again', () => {
    const replace = (id: string, replacedId: string, caller = superAdmin, newHardware = false) =>
      app.get(ReplacementService).replace(caller, { id, replacedId, newHardware });
    const device = async (id: string, caller = superAdmin) =>
      (await app.get(DevicesService).get(caller, { id })).device;
    const twice = async () => {
      const serial = uuidv7();
      return { old: await enrolled(serial), fresh: await enrolled(serial) };
    };

    it('takes the place of the old one: id, name, address and account stay, and the new entry is gone', async () => {
      const { old, fresh } = await twice();
      const before = await device(old.id);
      expect((await device(fresh.id))?.replaces).toMatchObject({ id: old.id, name: before?.name });
      expect(before?.replaces).toBeUndefined();
      const { device: after } = await replace(fresh.id, old.id, user(acme, Role.OWNER));
      expect(after).toMatchObject({ id: old.id, customName: before?.name, httpAddress: before?.httpAddress });
      expect(after?.replaces).toBeUndefined();
      await expect(device(fresh.id)).rejects.toMatchObject({ code: 'not_found' });
      // Its agent keeps sending the id of its enrolment.
      expect([await keyOf(old.id), await keyOf(fresh.id)]).toEqual([hex(fresh.pair), hex(fresh.pair)]);
      const credential = await credentialOf(app.get(DevicesService), serviceCaller('tunnels'), fresh.id);
      expect(credential).toMatchObject({ deviceId: fresh.id, currentId: old.id });
    });

    it('may be changed afterwards, and replaced again', async () => {
      const serial = uuidv7();
      const [first, second, third] = [await enrolled(serial), await enrolled(serial), await enrolled(serial)];
      await replace(second.id, first.id);
      const next = newPair();
      await rotate(change(second.id, second.pair, next));
      expect(await keyOf(first.id)).toBe(hex(next));
      await replace(third.id, first.id);
      for (const { id } of [first, second, third]) expect(await keyOf(id)).toBe(hex(third.pair));
    });

    it('may have new hardware, if that is confirmed: the old entry takes its serial', async () => {
      const [old, fresh] = [await enrolled(), await enrolled()];
      const before = await device(old.id);
      await expect(replace(fresh.id, old.id)).rejects.toMatchObject({ message: expect.stringContaining('confirm') });
      const serial = (await device(fresh.id))?.serial;
      const { device: after } = await replace(fresh.id, old.id, user(acme, Role.OWNER), true);
      expect(after).toMatchObject({ id: old.id, serial, httpAddress: before?.httpAddress });
      expect(await keyOf(old.id)).toBe(hex(fresh.pair));
      await expect(device(fresh.id)).rejects.toMatchObject({ code: 'not_found' });
      const { activity } = await app.get(ActivityService).list(superAdmin, { accountId: acme, limit: 10 });
      expect(activity).toContainEqual(
        expect.objectContaining({ deviceId: old.id, kind: ActivityKind.HARDWARE_REPLACED, detail: serial }),
      );
    });

    it('stays where it is when they are not one device, or the old one is connected', async () => {
      const { old, fresh } = await twice();
      const other = await enrolled();
      const refused = (why: RegExp) => ({ code: 'failed_precondition', message: why });
      await expect(replace(fresh.id, other.id)).rejects.toMatchObject(refused(/its serial is another one/));
      await expect(replace(old.id, fresh.id)).rejects.toMatchObject(refused(/not the older entry/));
      await expect(replace(old.id, fresh.id, superAdmin, true)).rejects.toMatchObject(refused(/not the older entry/));
      await expect(replace(fresh.id, fresh.id)).rejects.toMatchObject(refused(/not the older entry/));
      await app.get(DataSource).query('UPDATE devices SET connected = true WHERE id = $1', [old.id]);
      expect((await device(fresh.id))?.replaces).toBeUndefined();
      await expect(replace(fresh.id, old.id)).rejects.toMatchObject(refused(/is connected/));
      expect([await keyOf(old.id), await keyOf(fresh.id)]).toEqual([hex(old.pair), hex(fresh.pair)]);
    });

    it("is the SuperAdmin's and the owner's to approve, and not another account's", async () => {
      const { old, fresh } = await twice();
      for (const role of [Role.ADMIN, Role.MEMBER])
        await expect(replace(fresh.id, old.id, user(acme, role))).rejects.toMatchObject({ code: 'permission_denied' });
      const stranger = user(uuidv7(), Role.OWNER);
      await expect(replace(fresh.id, old.id, stranger)).rejects.toMatchObject({ code: 'not_found' });
      await expect(replace(fresh.id, uuidv7())).rejects.toMatchObject({ code: 'not_found' });
      await expect(replace('x', old.id)).rejects.toMatchObject({ code: 'not_found' });
      expect(await keyOf(old.id)).toBe(hex(old.pair));
    });
  });
});
