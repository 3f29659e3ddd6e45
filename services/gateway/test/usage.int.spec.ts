import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Fault } from '@warren/platform/errors/fault';
import { Role } from '@warren/proto/common/v1/common';
import { UsageKind } from '@warren/proto/events/v1/events';
import { UsageService, UsageStep, type GetUsageRequest, type ListUsageRequest } from '@warren/proto/tenancy/v1/usage';
import { ACCOUNT, OTHER_ACCOUNT, person, TestGateway, type Person } from './gateway.ts';

const TERMINAL = { kind: UsageKind.TERMINAL, openMs: 1_500n, opened: 2n, bytesToDevice: 3n, bytesFromDevice: 4n };
const DEVICE = { kind: UsageKind.DEVICE, openMs: 86_400_000n, opened: 1n };
const NOTHING = { seconds: 0, opened: 0, bytes_to_device: 0, bytes_from_device: 0 };
const USAGE = {
  terminal: { seconds: 1.5, opened: 2, bytes_to_device: 3, bytes_from_device: 4 },
  desktop: NOTHING,
  web: NOTHING,
  devices: { seconds: 86_400, connections: 1 },
};

describe('usage over REST', () => {
  let gateway: TestGateway;
  let admin: Person;
  const asked: (GetUsageRequest | ListUsageRequest)[] = [];

  beforeAll(async () => {
    gateway = await TestGateway.start();
    admin = gateway.signIn(person('ada', Role.ADMIN, { operator: true }));
    gateway.services.serve(UsageService, {
      getUsage: async (_caller, request) => {
        asked.push(request);
        const start = timestampFromDate(new Date('2026-11-01T00:00:00Z'));
        return { spans: [{ start, kinds: [TERMINAL, DEVICE] }] };
      },
      listUsage: async (_caller, request) => {
        asked.push(request);
        if (request.month === '2001-01') throw new Fault('permission_denied', 'Not allowed.');
        const first = { accountId: ACCOUNT, name: '=HYPERLINK("x")', kinds: [TERMINAL] };
        const second = { accountId: OTHER_ACCOUNT, name: '', kinds: [DEVICE] };
        return request.after === '' ? { accounts: [first], next: ACCOUNT } : { accounts: [second], next: '' };
      },
    });
  });
  afterAll(() => gateway?.stop());

  const get = (path: string) => gateway.call('GET', path, { as: admin });

  it('of an account has every kind in each span, of days in UTC', async () => {
    const { status, json } = await get(`/api/accounts/${ACCOUNT}/usage?from=2026-11-01&to=2026-12-01`);
    expect(status).toBe(200);
    expect(json).toEqual({ usage: [{ start: '2026-11-01T00:00:00.000Z', ...USAGE }] });
    const request = asked.at(-1) as GetUsageRequest;
    expect(request).toMatchObject({ accountId: ACCOUNT, step: UsageStep.DAY });
    expect(timestampDate(request.to as never).toISOString()).toBe('2026-12-01T00:00:00.000Z');
  });

  it.each([
    ['from=2026-11-31&to=2026-12-01', 'from', 'expected a day such as 2026-11-01'],
    ['from=2026-11-01', 'to', 'expected a day'],
    ['from=2026-11-01&to=2026-12-01&step=week', 'step', 'day'],
  ])('refuses %s and names the field', async (query, field, message) => {
    const { status, json } = await get(`/api/accounts/${ACCOUNT}/usage?${query}`);
    expect(status).toBe(400);
    expect(json.errors).toEqual([expect.objectContaining({ field, message: expect.stringContaining(message) })]);
  });

  it('of every account comes in parts', async () => {
    const first = await get('/api/usage?month=2026-11&limit=1000');
    expect(asked.at(-1)).toMatchObject({ month: '2026-11', after: '', limit: 200 });
    expect(first.json).toMatchObject({ month: '2026-11', next: ACCOUNT, accounts: [{ account: ACCOUNT }] });
    const last = await get(`/api/usage?month=2026-11&after=${ACCOUNT}`);
    expect(last.json).toMatchObject({ next: null, accounts: [{ account: OTHER_ACCOUNT, name: null }] });
    for (const query of ['', 'month=2026-13', 'month=2026-11&after=x'])
      expect((await get(`/api/usage?${query}`)).status).toBe(400);
  });

  it('is exported whole as CSV that runs nothing in a spreadsheet', async () => {
    const { headers, text } = await get('/api/usage/export?month=2026-11');
    expect(headers['content-type']).toBe('text/csv; charset=utf-8');
    const [head, first, second] = text.split('\r\n');
    expect(head).toContain('Month,Account,Name,Terminal seconds,Terminal opened,Terminal bytes to device');
    expect(first).toBe(`2026-11,${ACCOUNT},"'=HYPERLINK(""x"")",1.5,2,3,4,0,0,0,0,0,0,0,0,0,0`);
    expect(second).toBe(`2026-11,${OTHER_ACCOUNT},,0,0,0,0,0,0,0,0,0,0,0,0,86400,1`);
    expect((await get('/api/usage/export?month=2001-01')).status).toBe(403);
  });
});
