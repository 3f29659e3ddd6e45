import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Fault } from '@warren/platform/errors/fault';
import { requireUser, type Caller } from '@warren/platform/rpc/caller';
import { Role } from '@warren/proto/common/v1/common';
import { DevicesService } from '@warren/proto/devices/v1/devices';
import { TunnelsService } from '@warren/proto/tunnels/v1/tunnels';
import { DEVICE, OTHER_ACCOUNT, person, TestGateway, shownTo } from './gateway.ts';

const member = person('member', Role.MEMBER);
const stranger = person('stranger', Role.MEMBER, { account: OTHER_ACCOUNT });
const REPLICA = 'terminals-replica';
const SESSION = '7f6dbf3c-3ac1-4c8e-9c93-5b0f6a1c2d3e';

describe("one's own terminals over REST", () => {
  let gateway: TestGateway;
  const asked: object[] = [];

  beforeAll(async () => {
    gateway = await TestGateway.start();
    for (const who of [member, stranger]) gateway.signIn(who);
    gateway.services.serve(DevicesService, { getDevice: async (caller) => shownTo(caller) });
    const time = timestampFromMs(1_750_000_000_000);
    const one = {
      session: SESSION,
      startedAt: time,
      usedAt: time,
      attached: true,
      cols: 80,
      rows: 24,
      command: 'vim',
      name: 'build',
      pinDays: 3,
      unpinnable: '',
      memory: 32_768n,
      memoryLimit: 4_194_304n,
    };
    const handlers = {
      listTerminals: async (caller: Caller) => {
        asked.push({ by: requireUser(caller).name });
        const observable = [{ ownerEmail: 'ada@acme.example', terminal: { ...one, session: 'other' } }, {}];
        return {
          terminals: [one],
          observable,
          capacity: { terminals: 32, pinned: 8, memory: 134_217_728n, pinDays: 7 },
        };
      },
      changeTerminal: async (_caller: Caller, request: { session: string; name?: string; pinDays?: number }) => {
        const { session, name, pinDays } = request;
        if (session !== SESSION) throw new Fault('not_found', `terminal ${session}.`);
        asked.push({ session, name, pinDays });
        return { terminal: { ...one, attached: false, name: name ?? '', pinDays: pinDays ?? 0, leftS: 600 } };
      },
      endTerminal: async (_caller: Caller, { session }: { session: string }) => {
        if (session !== SESSION) throw new Fault('not_found', `terminal ${session}.`);
        asked.push({ session });
        return {};
      },
    };
    gateway.services.serve(TunnelsService, handlers, REPLICA);
    await gateway.link(DEVICE, REPLICA);
  });
  afterAll(async () => {
    await gateway.stop();
  });

  const path = `/api/devices/${DEVICE}/terminals`;
  const origin = { headers: { origin: 'http://hub.test' } };

  it('are listed by the replica that holds the device', async () => {
    const { status, json } = await gateway.call('GET', path, { as: member });
    const time = '2025-06-15T15:06:40.000Z';
    const times = { started_at: time, used_at: time };
    const shown = { session: SESSION, ...times, attached: 'Yes', cols: 80, rows: 24, command: 'vim' };
    const kept = { name: 'build', pin_days: 3, unpinnable: null, ends_in: null };
    const memory = { bytes: 32_768, limit: 4_194_304 };
    expect([status, json]).toEqual([
      200,
      {
        terminals: [{ ...shown, ...kept, memory }],
        observable: [{ owner: 'ada@acme.example', terminal: { ...shown, ...kept, memory, session: 'other' } }],
        capacity: { terminals: 32, pinned: 8, memory: 134_217_728, pin_days: 7 },
      },
    ]);
    expect(asked.splice(0)).toEqual([{ by: 'member' }]);
  });

  it('end one by one', async () => {
    expect((await gateway.call('DELETE', `${path}/${SESSION}`, { as: member, ...origin })).status).toBe(200);
    expect(asked.splice(0)).toEqual([{ session: SESSION }]);
    expect((await gateway.call('DELETE', `${path}/another`, { as: member, ...origin })).status).toBe(404);
    expect((await gateway.call('DELETE', `${path}/a%20b`, { as: member, ...origin })).status).toBe(400);
  });

  it('are renamed, pinned and unpinned', async () => {
    const as = { as: member, ...origin };
    const change = (body: object) => gateway.call('PATCH', `${path}/${SESSION}`, { ...as, body });
    const named = await change({ name: ' nightly build ', pin_days: 7 });
    expect([named.status, named.json]).toMatchObject([
      200,
      { result: { name: 'nightly build', pin_days: 7, ends_in: 600 } },
    ]);
    expect((await change({ pin_days: 0 })).status).toBe(200);
    expect((await change({ name: '' })).status).toBe(200);
    expect(asked.splice(0)).toEqual([
      { session: SESSION, name: 'nightly build', pinDays: 7 },
      { session: SESSION, pinDays: 0 },
      { session: SESSION, name: '' },
    ]);
    for (const body of [
      {},
      { name: 'a\u001b[2J' },
      { name: 'ä'.repeat(65) },
      { pin_days: 31 },
      { pin_days: 0.5 },
      { pinned: true },
    ])
      expect([body, (await change(body)).status]).toEqual([body, 400]);
    expect((await gateway.call('PATCH', `${path}/another`, { ...as, body: { name: 'x' } })).status).toBe(404);
    expect(asked).toEqual([]);
  });

  it("are not another account's to see, to change or to end", async () => {
    expect((await gateway.call('GET', path, { as: stranger })).status).toBe(404);
    const theirs = { as: stranger, ...origin };
    expect((await gateway.call('PATCH', `${path}/${SESSION}`, { ...theirs, body: { name: 'x' } })).status).toBe(404);
    expect((await gateway.call('DELETE', `${path}/${SESSION}`, theirs)).status).toBe(404);
    expect(asked).toEqual([]);
  });
});
