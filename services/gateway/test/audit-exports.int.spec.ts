import { create } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { settled, until } from '@warren/infra/until';
import { Fault } from '@warren/platform/errors/fault';
import { EventBus } from '@warren/platform/events/event.bus';
import {
  AuditActorKind,
  AuditEntrySchema,
  AuditOutcome,
  AuditService,
  type AuditEntry,
  type ListEventsRequest,
} from '@warren/proto/audit/v1/audit';
import { Role } from '@warren/proto/common/v1/common';
import { TenancyService } from '@warren/proto/tenancy/v1/tenancy';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { ACCOUNT, person, TestGateway, type Person } from './gateway.ts';

/** More than two pages of an export, and the last one is not full. */
const EVENTS = 1_203;
const PAGE = 500;
const FORMULAS = [
  '=HYPERLINK("http://evil.test")',
  '+1',
  '-1',
  '@SUM(A1)',
  '\t=1',
  '\r=1',
  'a,"b"\r\nc',
  'a\n=1',
  'a\r=1',
];
const WIDE = 'x'.repeat(2_000);

const idOf = (index: number) => `01997b5c-0000-7000-8000-${String(index).padStart(12, '0')}`;

function entry(index: number): AuditEntry {
  const formula = FORMULAS[index % FORMULAS.length] ?? '';
  return create(AuditEntrySchema, {
    id: idOf(index),
    time: timestampFromMs(1_767_225_600_000 - index),
    accountId: ACCOUNT,
    event: {
      action: 'device.rename',
      actor: { kind: AuditActorKind.USER, id: 'u1', name: formula, email: 'ada@acme.test' },
      target: { kind: 'device', id: 'd1', name: formula },
      outcome: AuditOutcome.FAILED,
      reason: formula,
      origin: { address: '192.0.2.7', userAgent: formula },
      details: JSON.stringify({ note: WIDE }),
    },
  });
}

/** Reads records of quoted cells (RFC 4180). */
function cellsOf(csv: string): string[][] {
  const records: string[][] = [[]];
  for (const [, quoted, plain = '', end] of csv.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)) {
    records.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === '\r\n') records.push([]);
    if (end === '') break;
  }
  return records.filter((cells) => cells.length > 1);
}

describe('an export of audit events', () => {
  let gateway: TestGateway;
  let admin: Person;
  let asked: ListEventsRequest[] = [];
  let isTenancyAway = false;
  let total = EVENTS;
  /** Awaited before a page is answered. */
  let before: (request: ListEventsRequest) => Promise<void> | void;

  beforeAll(async () => {
    gateway = await TestGateway.start();
    gateway.services.serve(TenancyService, {
      resolveMember: async (_caller, { email }) =>
        [...gateway.people.values()].find(({ member }) => member.user?.['email'] === email)?.member as object,
      getAccount: async () => {
        if (isTenancyAway) throw new Fault('unavailable', 'tenancy does not answer.');
        return { account: { id: ACCOUNT, name: 'Acme' } };
      },
    });
    gateway.services.serve(AuditService, {
      listEvents: async (_caller, request) => {
        asked.push(request);
        await before(request);
        const from = request.cursor === '' ? 0 : Number(request.cursor);
        const to = Math.min(from + request.limit, total);
        const events = Array.from({ length: to - from }, (_, index) => entry(from + index));
        return { events, nextCursor: to < total ? String(to) : '' };
      },
    });
  });
  afterAll(() => gateway?.stop());
  beforeEach(() => {
    asked = [];
    total = EVENTS;
    before = () => {};
    admin = gateway.signIn(person('ada', Role.ADMIN));
  });

  const query = `account=${ACCOUNT}&action=device.*&outcome=failed&search=pump`;
  const open = (format: string, as = admin) =>
    gateway.open('GET', `/api/audit/export?format=${format}&${query}`, { as });
  const aborted = (response: IncomingMessage) =>
    new Promise<boolean>((resolve) => {
      response.once('error', () => resolve(true)).once('end', () => resolve(false));
      response.resume();
    });

  it('has every event of the filter, once and in order, as CSV without formulas', async () => {
    const { status, headers, text: csv } = await gateway.get(`/api/audit/export?format=csv&${query}`, admin);
    expect([status, headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8']);
    expect(headers['content-disposition']).toBe('attachment; filename="audit.csv"');
    const [head = [], ...rows] = cellsOf(csv.replace('\uFEFF', ''));
    const column = (name: string) => rows.map((cells) => cells[head.indexOf(name)] ?? '');
    expect(column('Event id')).toEqual(Array.from({ length: EVENTS }, (_, index) => idOf(index)));
    for (const name of ['Actor', 'Target', 'Reason', 'User agent'])
      expect(column(name)).toEqual(
        Array.from({ length: EVENTS }, (_, index) => {
          const formula = FORMULAS[index % FORMULAS.length] ?? '';
          return /^[=+\-@\t\r]/.test(formula) ? `'${formula}` : formula;
        }),
      );
    expect(rows.flat().filter((cell) => /^[=+\-@\t\r]/.test(cell))).toEqual([]);
    expect(asked.map(({ limit, cursor }) => [limit, cursor])).toEqual([
      [PAGE, ''],
      [PAGE, '500'],
      [PAGE, '1000'],
    ]);
    for (const { filter } of asked)
      expect(filter).toMatchObject({
        accountId: ACCOUNT,
        actions: expect.arrayContaining(['device.rename', 'device.delete']),
        outcomes: [AuditOutcome.FAILED],
        text: 'pump',
      });
  });

  it('has every event of the filter as lines of JSON, and is an event itself', async () => {
    const recorded: object[] = [];
    const undo = gateway.app.get(EventBus).listen(({ kind }) => {
      if (kind.case !== 'audit' || kind.value.action !== 'audit.export') return;
      const details = JSON.parse(kind.value.details) as { format: string };
      if (details.format === 'ndjson') recorded.push(details);
    });
    const response = await open('ndjson');
    expect(response.headers['content-type']).toBe('application/x-ndjson');
    const events = (await text(response))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: string; reason: string });
    expect(events.map(({ id }) => id)).toEqual(Array.from({ length: EVENTS }, (_, index) => idOf(index)));
    // A program reads them as they are.
    expect(events[0]?.reason).toBe(FORMULAS[0]);
    await until(() => recorded.length === 1);
    expect(recorded).toMatchObject([{ format: 'ndjson', action: ['device.*'], search: 'pump', everyAccount: false }]);
    undo();
  });

  it.each(['csv', 'ndjson'])('stops when its client leaves, and makes room for another, as %s', async (format) => {
    // Far more than the buffers between both hold.
    total = 100_000;
    const responses = await Promise.all([open(format), open(format)]);
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
    // Both wait for their clients, who read nothing.
    expect((await open(format)).statusCode).toBe(429);
    for (const response of responses) response.destroy();
    await until(async () => {
      const next = await open(format);
      next.destroy();
      return next.statusCode === 200;
    });
    expect(await settled(() => asked.length)).toBeLessThan(total / PAGE / 2);
  });

  it('breaks off when the rights of its person change', async () => {
    before = ({ cursor }) => {
      if (cursor === '500') gateway.signIn(person('ada', Role.MEMBER));
    };
    const response = await open('ndjson');
    expect(response.statusCode).toBe(200);
    expect(await aborted(response)).toBe(true);
    expect(asked.map(({ cursor }) => cursor)).toEqual(['', '500']);
  });

  it('is refused before its first byte if it cannot start', async () => {
    isTenancyAway = true;
    for (const format of ['csv', 'ndjson']) {
      const { status, json } = await gateway.get(`/api/audit/export?format=${format}&${query}`, admin);
      expect([status, json.code]).toEqual([503, 'unavailable']);
    }
    isTenancyAway = false;
    for (const format of ['xlsx', '']) expect((await open(format)).statusCode).toBe(400);
    expect((await gateway.get('/api/audit/export?format=csv')).status).toBe(401);
    // None of them has kept its place.
    const responses = await Promise.all([open('csv'), open('ndjson')]);
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
    for (const response of responses) response.destroy();
  });
});
