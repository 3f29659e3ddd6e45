import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { serviceCaller } from '@warren/platform/rpc/caller';
import { Role } from '@warren/proto/common/v1/common';
import type { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { DevicesService } from '../src/devices/devices.service.ts';
import { EnrolmentService } from '../src/enrolment/enrolment.service.ts';
import { TokensService } from '../src/enrolment/tokens.service.ts';
import { user } from './callers.ts';
import { DOMAIN, enrolDevice, facts, newKey } from './devices.process.ts';
import { DevicesWorld } from './devices.world.ts';
import { credentialOf } from './credential.ts';

const gateway = serviceCaller('gateway');
const tunnels = serviceCaller('tunnels');

describe('enrolment', () => {
  let world: DevicesWorld;
  let app: INestApplicationContext;
  let source: DataSource;
  const acme = uuidv7();
  const other = uuidv7();
  const superAdmin = user(uuidv7(), Role.SUPER_ADMIN, true);

  beforeAll(async () => {
    world = await DevicesWorld.start(
      new Map([
        [acme, 'Acme'],
        [other, 'Other'],
      ]),
    );
    ({ app, source } = world);
  });
  afterAll(() => world.end());

  const tokens = () => app.get(TokensService);
  const newToken = (uses = 1) => tokens().create(superAdmin, { accountId: acme, uses });
  const check = (token: string, accountId = acme) => tokens().check(gateway, { accountId, token });
  const enrol = (token: string, init: Partial<Parameters<EnrolmentService['enrol']>[1]> = {}) => {
    const { publicKey, prove } = newKey();
    return app.get(EnrolmentService).enrol(gateway, {
      accountId: acme,
      token,
      publicKey,
      proof: prove(token),
      serial: 's-1',
      facts: facts(),
      publicIp: '',
      ...init,
    });
  };
  const usesLeft = async (id: string | undefined) =>
    (await source.query('SELECT uses_left FROM enrolment_tokens WHERE id = $1', [id]))[0].uses_left;

  describe('tokens', () => {
    it('hold for an hour, and only their hash is kept', async () => {
      const { token = '', id } = await newToken(3);
      const [row] = await source.query(
        `SELECT t::text AS text, expires - created AS life FROM enrolment_tokens t WHERE id = $1`,
        [id],
      );
      expect(row.life).toMatchObject({ hours: 1 });
      expect(token).toMatch(/^[\w-]{43}$/);
      expect(row.text).not.toContain(token);
      expect(await check(token)).toMatchObject({ usesLeft: 3 });
    });

    it('are made by SuperAdmins, and by owners for their own account', async () => {
      expect((await tokens().create(user(acme, Role.OWNER), { accountId: acme, uses: 0 })).token).toBeTruthy();
      await expect(tokens().create(user(acme, Role.OWNER), { accountId: other, uses: 1 })).rejects.toMatchObject({
        code: 'not_found',
      });
      for (const role of [Role.ADMIN, Role.MEMBER])
        await expect(tokens().create(user(acme, role), { accountId: acme, uses: 1 })).rejects.toMatchObject({
          code: 'permission_denied',
        });
    });

    it.each([501, 4_000_000_000])('are refused for %d devices', async (uses) => {
      await expect(newToken(uses)).rejects.toMatchObject({ code: 'invalid_argument', message: new RegExp(`${uses}`) });
    });

    it('are refused for an account that tenancy does not know', async () => {
      const made = tokens().create(superAdmin, { accountId: uuidv7(), uses: 1 });
      await expect(made).rejects.toMatchObject({ code: 'not_found' });
      await expect(tokens().create(superAdmin, { accountId: 'x', uses: 1 })).rejects.toMatchObject({
        code: 'not_found',
      });
    });

    it.each([
      ['expired', `UPDATE enrolment_tokens SET expires = now() WHERE id = $1`],
      ['used up', `UPDATE enrolment_tokens SET uses_left = 0 WHERE id = $1`],
      ['revoked', `UPDATE enrolment_tokens SET revoked = now() WHERE id = $1`],
    ])('admit no device when %s', async (reason, sql) => {
      const { token = '', id } = await newToken(2);
      await source.query(sql, [id]);
      const refusal = { code: 'unauthenticated', subject: 'Enrolment token', message: `${reason}.` };
      await expect(check(token)).rejects.toMatchObject(refusal);
      await expect(enrol(token)).rejects.toMatchObject(refusal);
    });

    it('admit no device into another account, or into a disabled one', async () => {
      const { token = '', id } = await newToken();
      await newTokenFor(other);
      const unknown = { code: 'unauthenticated', subject: 'Enrolment token', message: 'unknown.' };
      await expect(check(token, other)).rejects.toMatchObject(unknown);
      await expect(enrol(token, { accountId: other })).rejects.toMatchObject(unknown);
      await expect(enrol(token, { accountId: "x' OR 1=1" })).rejects.toMatchObject(unknown);
      await source.query('UPDATE accounts SET active = false WHERE id = $1', [acme]);
      await expect(enrol(token)).rejects.toMatchObject({ code: 'unauthenticated', message: /account is disabled/ });
      await source.query('UPDATE accounts SET active = true WHERE id = $1', [acme]);
      expect(await usesLeft(id)).toBe(1);
    });

    it("are revoked by those who may make them, not by another account's owner", async () => {
      const { token = '', id = '' } = await newToken();
      for (const accountId of [acme, other])
        await expect(tokens().revoke(user(other, Role.OWNER), { accountId, id })).rejects.toMatchObject({
          code: 'not_found',
        });
      await tokens().revoke(user(acme, Role.OWNER), { accountId: acme, id });
      await tokens().revoke(user(acme, Role.OWNER), { accountId: acme, id });
      await expect(check(token)).rejects.toMatchObject({ message: 'revoked.' });
    });

    it('are spent exactly as often as they say, however many come at once', async () => {
      const { token = '', id } = await newToken(3);
      const outcomes = await Promise.allSettled(Array.from({ length: 9 }, () => enrol(token)));
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
      for (const outcome of outcomes)
        if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ message: /used up/ });
      expect(await usesLeft(id)).toBe(0);
    });
  });

  describe('a device', () => {
    it('starts with a name, its own address, and the default switches', async () => {
      const { token = '' } = await newToken();
      const named = facts({ hostname: 'Küche Pi' });
      const { deviceId, accountName } = await enrol(token, { facts: named, publicIp: '81.2.3.4', serial: ' abc ' });
      expect(accountName).toBe('Acme');
      const { device } = await app.get(DevicesService).get(superAdmin, { id: deviceId });
      expect(device).toMatchObject({
        name: 'Küche Pi',
        customName: '',
        serial: 'abc',
        accountId: acme,
        accountName: 'Acme',
        connected: false,
        sshEnabled: true,
        httpEnabled: false,
        httpPort: 1880,
        publicIp: '81.2.3.4',
        facts: { cpuCores: 4, cpuUsage: 12.5, totalRam: 4_000n, usedRam: 1_000n, model: 'Raspberry Pi 4' },
      });
      expect(device.httpAddress).toMatch(new RegExp(`^kuche-pi-[a-z2-9]{6}\\.${DOMAIN}$`));
    });

    it('needs the private key: a copied public key enrols nothing, nor does a proof for another token', async () => {
      const { token = '', id } = await newToken();
      const { publicKey, prove } = newKey();
      const wrong = [newKey().prove(token), prove('another'), new Uint8Array(64), new Uint8Array(0)];
      for (const proof of wrong)
        await expect(enrol(token, { publicKey, proof })).rejects.toMatchObject({ code: 'unauthenticated' });
      await expect(enrol(token, { publicKey: publicKey.slice(1) })).rejects.toMatchObject({ code: 'unauthenticated' });
      expect(await usesLeft(id)).toBe(1);
    });

    it('enrols once with its key; the token keeps its use', async () => {
      const { token = '', id } = await newToken(3);
      const { publicKey, prove } = newKey();
      const request = { publicKey, proof: prove(token) };
      await enrol(token, request);
      await expect(enrol(token, request)).rejects.toMatchObject({ code: 'already_exists' });
      expect(await usesLeft(id)).toBe(2);
    });

    it('is refused with facts or a serial that are no good, with every problem named', async () => {
      const { token = '', id } = await newToken();
      const bad = facts({ hostname: 'a\u001b[31m', cpuUsage: 101, privateIp: 'here' });
      await expect(enrol(token, { facts: bad })).rejects.toMatchObject({
        code: 'invalid_argument',
        problems: [{ field: 'facts.cpuUsage' }, { field: 'facts.hostname' }, { field: 'facts.privateIp' }],
      });
      for (const serial of ['', 'x'.repeat(129), 'a\u0000b'])
        await expect(enrol(token, { serial })).rejects.toMatchObject({ problems: [{ field: 'serial' }] });
      expect(await usesLeft(id)).toBe(1);
    });

    it('is enrolled by the gateway only', async () => {
      const request = { ...newKey(), accountId: acme, token: '', proof: new Uint8Array(), serial: '', publicIp: '' };
      await expect(app.get(EnrolmentService).enrol(superAdmin, request)).rejects.toMatchObject({
        code: 'permission_denied',
      });
    });
  });

  describe('a credential', () => {
    it('is for tunnels only; the console is off while the account is disabled', async () => {
      const deviceId = await enrolDevice(app, acme);
      const devices = app.get(DevicesService);
      expect(await credentialOf(devices, tunnels, deviceId)).toMatchObject({
        accountId: acme,
        name: 'pi-1',
        sshEnabled: true,
        publicKey: expect.objectContaining({ length: 32 }),
      });
      await source.query('UPDATE accounts SET active = false WHERE id = $1', [acme]);
      expect(await credentialOf(devices, tunnels, deviceId)).toMatchObject({
        sshEnabled: false,
        accountDisabled: true,
      });
      const shown = await devices.get(superAdmin, { id: deviceId });
      expect(shown.device).toMatchObject({ sshEnabled: true, accountDisabled: true });
      await source.query('UPDATE accounts SET active = true WHERE id = $1', [acme]);
      await expect(credentialOf(devices, gateway, deviceId)).rejects.toMatchObject({ code: 'permission_denied' });
      await expect(credentialOf(devices, tunnels, uuidv7())).rejects.toMatchObject({ code: 'not_found' });
    });
  });

  async function newTokenFor(accountId: string): Promise<void> {
    await tokens().create(superAdmin, { accountId, uses: 1 });
  }
});
