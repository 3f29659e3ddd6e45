import { effective } from '../../support/matrix/audit.inputs.ts';
import type { Actor } from '../../support/matrix/cast.ts';
import { mark } from '../../support/matrix/bodies.ts';
import { expect, requestOf, test, type World } from '../../support/matrix/world.ts';
import { auditTable } from './audit.table.ts';

interface Row {
  row: string;
  id: string;
  variant: string;
  /** The action; undefined for an operation without an event. */
  action: string | undefined;
  /** Whether the matrix brings it about. */
  held: boolean;
}

interface Entry {
  id: string;
  action: string;
  outcome: string;
  requestId: string;
  actor: { email: string };
  target: { id: string } | null;
}

const rows = auditTable
  .split('\n')
  .filter((line) => line.includes('|'))
  .slice(1)
  .map((line): Row => {
    const [row = '', action = '', ...more] = line.split('|').map((cell) => cell.trim());
    const [id = '', variant = ''] = row.split(':');
    const isNone = action.startsWith('none:');
    // What only reads is not called.
    const held = more.length === 0 && action !== 'none: it reads';
    return { row, id, variant, action: isNone ? undefined : action, held };
  });

const actorOf = (world: World, subject: Actor['subject']): Actor => {
  const actor = world.cast.actors.find((one) => one.subject === subject);
  if (!actor) throw new Error(`cast: there is no ${subject}`);
  return actor;
};

/** Everything that was recorded since a time. */
async function entriesSince(world: World, from: string): Promise<Entry[]> {
  const cookie = world.cast.cookie('superAdmin');
  const found: Entry[] = [];
  for (let before = ''; ;) {
    const path = `/api/audit/events?limit=200&from=${from}${before && `&before=${before}`}`;
    const { events, next } = await world.cast.hub.must<{ events: Entry[]; next: string | null }>(cookie, 'GET', path);
    found.push(...events);
    if (next === null) return found;
    before = next;
  }
}

test('every operation has a row, and every row an operation', ({ world }) => {
  const described = world.operations.map(({ id }) => id).sort();
  expect([...new Set(rows.map(({ id }) => id))].sort()).toEqual(described);
});

test('each change is one event of its action', async ({ world }) => {
  test.setTimeout(180_000);
  const actor = actorOf(world, 'superAdmin');
  const place = world.place(actor.other);
  const from = new Date(Date.now() - 1_000).toISOString();
  const expected: Record<string, string> = {};
  const rowOf = new Map<string, string>();
  for (const { row, id, variant, action, held } of rows) {
    if (!held) continue;
    const input = await world.input(id, actor, actor.other, variant);
    const values = { ...input.values, ...(await effective[row]?.(place)) };
    const requestId = `matrix-${mark()}`;
    const sent = { ...requestOf(world.operation(id), values), requestId };
    const answer = await world.cast.hub.call(actor.cookie, sent);
    expect([row, answer.status < 300, answer.body]).toEqual([row, true, answer.body]);
    if (input.spends) place.spend(input.spends);
    // It is disabled or gone.
    if (id === 'setAccountStatus' || id === 'deleteAccount') place.spend('account');
    expected[row] = action ?? '';
    rowOf.set(requestId, row);
  }
  const recorded = async () => {
    const seen: Record<string, string> = Object.fromEntries(Object.keys(expected).map((row) => [row, '']));
    for (const { requestId, action } of await entriesSince(world, from)) {
      const row = rowOf.get(requestId);
      // A moved device is an event in both accounts.
      if (row !== undefined && !(action === 'device.move' && seen[row] === action))
        seen[row] = seen[row] ? `${seen[row]} ${action}` : action;
    }
    return seen;
  };
  await expect.poll(recorded, { timeout: 30_000 }).toEqual(expected);
});

test('a refused operation is one event, with its reason', async ({ world }) => {
  const member = actorOf(world, 'member');
  const { values } = await world.input('deleteDevice', member, member.account);
  const requestId = `matrix-${mark()}`;
  const from = new Date(Date.now() - 1_000).toISOString();
  const sent = { ...requestOf(world.operation('deleteDevice'), values), requestId };
  expect((await world.cast.hub.call(member.cookie, sent)).status).toBe(403);
  const mine = async () => (await entriesSince(world, from)).filter((entry) => entry.requestId === requestId);
  await expect.poll(async () => (await mine()).length).toBe(1);
  expect(await mine()).toMatchObject([
    { action: 'device.delete', outcome: 'refused', actor: { email: member.email }, target: { id: values['id'] } },
  ]);
});
