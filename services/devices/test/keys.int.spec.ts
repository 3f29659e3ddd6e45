import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { startNats } from '@warren/infra/nats';
import type { TestDatabase } from '@warren/infra/test-database';
import { serviceCaller } from '@warren/platform/rpc/caller';
import { Role } from '@warren/proto/common/v1/common';
import { generateKeyPairSync, sign } from 'node:crypto';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { DevicesService } from '../src/devices/devices.service.ts';
import { EnrolmentService } from '../src/enrolment/enrolment.service.ts';
import { rotationText } from '../src/enrolment/proof.ts';
import { RotationService } from '../src/enrolment/rotation.service.ts';
import { TokensService } from '../src/enrolment/tokens.service.ts';
import { user } from './callers.ts';
import { credentialOf } from './credential.ts';
import { devicesDatabase, facts, startAccounts, startDevices } from './devices.process.ts';

const gateway = serviceCaller('gateway');

function newPair() {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const raw = new Uint8Array(publicKey.export({ format: 'der', type: 'spki' }).subarray(-32));
  return { raw, sign: (text: string) => new Uint8Array(sign(null, Buffer.from(text), privateKey)) };
}
type Pair = ReturnType<typeof newPair>;

describe("a device's key", () => {
  let database: TestDatabase;
  let nats: Awaited<ReturnType<typeof startNats>>;
  let tenancy: INestApplicationContext;
  let app: INestApplicationContext;
  const acme = uuidv7();
  const superAdmin = user(uuidv7(), Role.SUPER_ADMIN, true);

  beforeAll(async () => {
    [database, nats] = await Promise.all([devicesDatabase(), startNats()]);
    tenancy = await startAccounts(nats.url, new Map([[acme, 'Acme']]));
    app = await startDevices({ database: database.url, nats: nats.url, redis: process.env['TEST_REDIS_URL'] ?? '' });
  });
  afterAll(async () => {
    await app.close();
    await tenancy.close();
    await nats.stop();
    await database.drop();
  });

  const enrolled = async (): Promise<{ id: string; pair: Pair }> => {
    const { token = '' } = await app.get(TokensService).create(superAdmin, { accountId: acme, uses: 1 });
    const pair = newPair();
    const { deviceId: id } = await app.get(EnrolmentService).enrol(gateway, {
      ...{ accountId: acme, token, publicKey: pair.raw, proof: pair.sign(`warren-enrol:${token}`) },
      ...{ serial: uuidv7(), facts: facts(), publicIp: '' },
    });
    return { id, pair };
  };
  const change = (id: string, old: Pair, next: Pair) => {
    const text = rotationText(id, old.raw, next.raw);
    return {
      ...{ deviceId: id, oldKey: old.raw, newKey: next.raw },
      ...{ oldProof: old.sign(text), newProof: next.sign(text) },
    };
  };
  const rotate = (request: ReturnType<typeof change>) => app.get(RotationService).rotate(gateway, request);
  const keyOf = async (id: string) => {
    const { publicKey = [] } = await credentialOf(app.get(DevicesService), serviceCaller('tunnels'), id);
    return Buffer.from(publicKey).toString('hex');
  };
  const hex = ({ raw }: Pair) => Buffer.from(raw).toString('hex');

  it('is changed for another with proofs by both, and told of', async () => {
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
});
