import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { until } from '@warren/infra/until';
import { EventBus } from '@warren/platform/events/event.bus';
import { newEvent } from '@warren/platform/events/event';
import { serviceCaller } from '@warren/platform/rpc/caller';
import { Role } from '@warren/proto/common/v1/common';
import { ActivityKind, MachineDecision } from '@warren/proto/devices/v1/devices';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { DevicesService } from '../src/devices/devices.service.ts';
import { ReplacementService } from '../src/devices/replacement.service.ts';
import { rotationText, separationText } from '../src/enrolment/proof.ts';
import { RotationService } from '../src/enrolment/rotation.service.ts';
import { FactsService } from '../src/facts/facts.service.ts';
import { ActivityService } from '../src/activity/activity.service.ts';
import { MachineDecisions } from '../src/machines/machine.decisions.ts';
import { SeparationService } from '../src/machines/separation.service.ts';
import { WaitingMachines } from '../src/machines/waiting.machines.ts';
import { user } from './callers.ts';
import { credentialOf } from './credential.ts';
import { facts } from './devices.process.ts';
import { DevicesWorld } from './devices.world.ts';
import { newPair, type KeyPair } from './key.pair.ts';

const gateway = serviceCaller('gateway');
const tunnels = serviceCaller('tunnels');
const { REPLACE, SEPARATE } = MachineDecision;

describe('a machine with the key of a device and another serial', () => {
  let world: DevicesWorld;
  let app: INestApplicationContext;
  const [acme, crowded] = [uuidv7(), uuidv7()];
  let superAdmin: DevicesWorld['superAdmin'];

  beforeAll(async () => {
    world = await DevicesWorld.start(
      new Map([
        [acme, 'Acme'],
        [crowded, 'Crowded'],
      ]),
    );
    ({ app, superAdmin } = world);
  });
  afterAll(() => world.end());

  const query = <T>(sql: string, values: unknown[]) => app.get(DataSource).query<T[]>(sql, values);
  const enrolled = (accountId = acme) => world.enrol(accountId);
  const device = async (id: string, caller = superAdmin) => (await app.get(DevicesService).get(caller, { id })).device;
  const credential = (id: string) => credentialOf(app.get(DevicesService), tunnels, id);
  const seen = (deviceId: string, serial: string, model = 'Pi 5') =>
    app.get(WaitingMachines).seen({ deviceId, serial, model, publicIp: '81.9.9.9' });
  const decide = (id: string, serial: string, decision: MachineDecision, caller = superAdmin) =>
    app.get(MachineDecisions).decide(caller, { id, serial, decision });
  const separation = (deviceId: string, serial: string, old: KeyPair, next: KeyPair) => {
    const text = separationText(deviceId, next.raw);
    const proofs = { oldProof: old.sign(text), newProof: next.sign(text) };
    return { deviceId, serial, newKey: next.raw, ...proofs, facts: facts({ hostname: 'copy' }), publicIp: '81.9.9.9' };
  };
  const separate = (request: ReturnType<typeof separation>, caller = gateway) =>
    app.get(SeparationService).separate(caller, request);
  const connect = (id: string) => query('UPDATE devices SET connected = true WHERE id = $1', [id]);

  it('waits, as the news of its dial says, and is kept once', async () => {
    const { id, serial } = await enrolled();
    expect(await credential(id)).toMatchObject({ serial, separateSerials: [], keyShared: false });
    const value = { deviceId: id, publicIp: '81.9.9.9', serial: 'other', model: 'Pi 5' };
    const news = () => newEvent({ accountId: acme, kind: { case: 'deviceCloned', value } });
    await app.get(EventBus).publish(news());
    await app.get(EventBus).publish(news());
    await until(async () => (await device(id))?.machineWaits === true);
    await seen(id, 'other', 'Pi 5 B');
    const waiting = { serial: 'other', model: 'Pi 5 B', publicIp: '81.9.9.9', separates: false };
    expect((await device(id))?.machines).toEqual([expect.objectContaining(waiting)]);
    expect((await device(id))?.cloned).toBe(false);
    const { devices = [] } = await app.get(DevicesService).list(superAdmin, { accountId: acme, sort: 0 });
    expect(devices.find((one) => one.id === id)?.machineWaits).toBe(true);
  });

  it('is not kept with a serial that is the own one, or can be none, nor beyond the limits', async () => {
    const { id, serial } = await enrolled();
    for (const wrong of [serial, 'a\u0000b', 'x'.repeat(129), '\u202eabc']) await seen(id, wrong);
    await seen(id, 'fine', 'x'.repeat(129));
    await seen('no-id', 'fine');
    expect((await device(id))?.machines).toEqual([]);
    for (let at = 0; at < 10; at++) await seen(id, `serial-${at}`);
    expect((await device(id))?.machines).toHaveLength(4);
    const full = await enrolled(crowded);
    await query(
      `INSERT INTO device_machines (device_id, serial, model, public_ip)
       SELECT $1, 'm-' || n, '', '' FROM generate_series(1, 200) n`,
      [full.id],
    );
    const another = await enrolled(crowded);
    await seen(another.id, 'fine');
    expect((await device(another.id))?.machines).toEqual([]);
  });

  it('replaces hardware that is gone: the entry takes its serial, and the key is to change', async () => {
    const { id, pair } = await enrolled();
    await seen(id, 'board-2');
    const before = await device(id);
    const { device: after } = await decide(id, 'board-2', REPLACE, user(acme, Role.OWNER));
    expect(after).toMatchObject({ id, serial: 'board-2', machineWaits: false, machines: [] });
    expect(after?.httpAddress).toBe(before?.httpAddress);
    expect(await credential(id)).toMatchObject({ serial: 'board-2', separateSerials: [], keyShared: true });
    const { activity } = await app.get(ActivityService).list(superAdmin, { accountId: acme, limit: 5 });
    const happened = { deviceId: id, kind: ActivityKind.HARDWARE_REPLACED, detail: 'board-2' };
    expect(activity).toContainEqual(expect.objectContaining(happened));
    const next = newPair();
    const text = rotationText(id, pair.raw, next.raw);
    const proofs = { oldProof: pair.sign(text), newProof: next.sign(text) };
    await app.get(RotationService).rotate(gateway, { deviceId: id, oldKey: pair.raw, newKey: next.raw, ...proofs });
    expect(await credential(id)).toMatchObject({ keyShared: false });
  });

  it('replaces hardware that is connected, which becomes a separate device', async () => {
    const { id, serial, pair } = await enrolled();
    await connect(id);
    await seen(id, 'real');
    const { device: after } = await decide(id, 'real', REPLACE);
    expect(after).toMatchObject({ serial: 'real', machineWaits: false });
    expect(after?.machines).toEqual([expect.objectContaining({ serial, model: 'Pi 4', separates: true })]);
    // The other machine needs the key that both have until it has another one.
    expect(await credential(id)).toMatchObject({ serial: 'real', separateSerials: [serial], keyShared: false });
    const { deviceId } = await separate(separation(id, serial, pair, newPair()));
    expect(await device(deviceId)).toMatchObject({ serial, accountId: acme });
  });

  it('becomes a separate device by a decision and proofs, however often it asks, and then the key is to change', async () => {
    const { id, serial, pair } = await enrolled();
    await seen(id, 'copy-1');
    const next = newPair();
    const request = separation(id, 'copy-1', pair, next);
    await expect(separate(request)).rejects.toMatchObject({ code: 'failed_precondition' });
    await decide(id, 'copy-1', SEPARATE);
    const news = { machines: [expect.objectContaining({ serial: 'copy-1', separates: true })], machineWaits: false };
    expect(await device(id)).toMatchObject({ serial, ...news });
    const first = await separate(request);
    expect(await separate(request)).toEqual(first);
    expect(first).toMatchObject({ accountName: 'Acme' });
    expect(first.deviceId).not.toBe(id);
    expect(await device(first.deviceId)).toMatchObject({ name: 'copy', serial: 'copy-1', accountId: acme });
    expect(await credential(first.deviceId)).toMatchObject({ publicKey: Buffer.from(next.raw) });
    await expect(separate(separation(id, 'copy-1', pair, newPair()))).rejects.toMatchObject({
      code: 'failed_precondition',
    });
    expect(await credential(id)).toMatchObject({ keyShared: false });
    await connect(first.deviceId);
    await app.get(WaitingMachines).forget();
    expect(await credential(id)).toMatchObject({ separateSerials: [], keyShared: true });
  });

  it('is not separated by wrong proofs, for another machine or device, by others than the gateway', async () => {
    const { id, pair } = await enrolled();
    const other = await enrolled();
    await seen(id, 'copy');
    await decide(id, 'copy', SEPARATE);
    const next = newPair();
    const good = separation(id, 'copy', pair, next);
    const unauthenticated = { code: 'unauthenticated' };
    await expect(separate({ ...good, oldProof: good.newProof })).rejects.toMatchObject(unauthenticated);
    await expect(separate({ ...good, newProof: good.oldProof })).rejects.toMatchObject(unauthenticated);
    await expect(separate({ ...good, newKey: newPair().raw })).rejects.toMatchObject(unauthenticated);
    await expect(separate({ ...good, deviceId: other.id })).rejects.toMatchObject(unauthenticated);
    await expect(separate(separation(id, 'copy-2', pair, next))).rejects.toMatchObject({ code: 'failed_precondition' });
    await expect(separate({ ...good, deviceId: uuidv7() })).rejects.toMatchObject({ code: 'not_found' });
    await expect(separate(good, superAdmin)).rejects.toMatchObject({ code: 'permission_denied' });
    await query('UPDATE accounts SET active = false WHERE id = $1', [acme]);
    await expect(separate(good)).rejects.toMatchObject({ code: 'failed_precondition' });
    await query('UPDATE accounts SET active = true WHERE id = $1', [acme]);
    expect((await separate(good)).accountName).toBe('Acme');
  });

  it("is the SuperAdmin's and the owner's to decide about, once, and not another account's", async () => {
    const { id } = await enrolled();
    await seen(id, 'copy');
    for (const role of [Role.ADMIN, Role.MEMBER])
      await expect(decide(id, 'copy', REPLACE, user(acme, role))).rejects.toMatchObject({ code: 'permission_denied' });
    const notFound = { code: 'not_found' };
    await expect(decide(id, 'copy', REPLACE, user(uuidv7(), Role.OWNER))).rejects.toMatchObject(notFound);
    for (const unknown of ['copy-2', '', 'a\0b'])
      await expect(decide(id, unknown, REPLACE)).rejects.toMatchObject(notFound);
    await expect(decide('x', 'copy', REPLACE)).rejects.toMatchObject(notFound);
    await expect(decide(id, 'copy', MachineDecision.UNSPECIFIED)).rejects.toMatchObject({ code: 'invalid_argument' });
    await decide(id, 'copy', SEPARATE, user(acme, Role.OWNER));
    await expect(decide(id, 'copy', REPLACE)).rejects.toMatchObject(notFound);
  });

  it('is decided about without a word of, or a wait for, a device that the caller does not see', async () => {
    const { id } = await enrolled();
    const foreign = user(crowded, Role.OWNER);
    const { id: own } = await enrolled(crowded);
    await seen(id, 'copy');
    const missing = uuidv7();
    const unknown = `device ${missing}.`;
    await expect(decide(missing, 'copy', REPLACE, foreign)).rejects.toMatchObject({ message: unknown });
    const notFound = { code: 'not_found', message: unknown.replace(missing, id) };
    const replacement = (one: string, two: string) =>
      app.get(ReplacementService).replace(foreign, { id: one, replacedId: two, newHardware: true });
    await app.get(DataSource).transaction(async (manager) => {
      await manager.query('SELECT FROM devices WHERE id = $1 FOR UPDATE', [id]);
      await expect(decide(id, 'copy', REPLACE, foreign)).rejects.toMatchObject(notFound);
      await expect(replacement(id, own)).rejects.toMatchObject(notFound);
      await expect(replacement(own, id)).rejects.toMatchObject(notFound);
    });
  });

  it('is forgotten when it no longer dials, and so is a decision that was not used', async () => {
    const [silent, unused] = [await enrolled(), await enrolled()];
    await seen(silent.id, 'copy');
    await seen(unused.id, 'copy');
    await decide(unused.id, 'copy', SEPARATE);
    await app.get(WaitingMachines).forget();
    expect((await device(silent.id))?.machines).toHaveLength(1);
    await query(
      `UPDATE device_machines SET last_seen = now() - interval '25 hours', separate_since = separate_since - interval '25 hours'
       WHERE device_id = ANY($1)`,
      [[silent.id, unused.id]],
    );
    await app.get(WaitingMachines).forget();
    for (const { id } of [silent, unused]) expect((await device(id))?.machines).toEqual([]);
    expect(await credential(silent.id)).toMatchObject({ keyShared: false });
    // The machine that never enrolled still has the key.
    expect(await credential(unused.id)).toMatchObject({ separateSerials: [], keyShared: true });
  });

  it('is let in where the serial of the device is not known for certain, which is that of the first then', async () => {
    const { id } = await enrolled();
    await query('UPDATE devices SET serial_confirmed = false WHERE id = $1', [id]);
    expect(await credential(id)).toMatchObject({ serial: '' });
    const report = (serial: string) =>
      app.get(FactsService).report(tunnels, { reports: [{ deviceId: id, facts: facts(), publicIp: '', serial }] });
    await report('');
    expect(await credential(id)).toMatchObject({ serial: '' });
    await report('first');
    await report('second');
    expect(await credential(id)).toMatchObject({ serial: 'first' });
  });
});
