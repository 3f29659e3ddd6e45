import type { Actor } from '../../support/matrix/cast.ts';
import { readTable } from '../../support/matrix/table.ts';
import { expect, requestOf, test, type World } from '../../support/matrix/world.ts';
import { table } from './operations.table.ts';

const rows = readTable(table);
const split = (row: string): [id: string, variant: string] => {
  const [id = '', variant = ''] = row.split(':');
  return [id, variant];
};

test('every operation has an expectation, and every expectation an operation', ({ world }) => {
  const described = world.operations.map(({ id }) => id).sort();
  const expected = [...new Set(rows.map(({ name }) => split(name)[0]))].sort();
  expect(expected).toEqual(described);
});

/** Calls the operation as an actor, on an account. @returns the status */
async function status(world: World, row: string, actor: Actor, account: string): Promise<number> {
  const [id, variant] = split(row);
  const { values, spends } = await world.input(id, actor, account, variant);
  const answer = await world.cast.hub.call(actor.cookie, requestOf(world.operation(id), values));
  if (spends && answer.status < 300) world.place(account).spend(spends);
  return answer.status;
}

for (const { name, cells } of rows) {
  test(`${name}: every role, own and other account`, async ({ world }) => {
    const expected: Record<string, string> = {};
    const answered: Record<string, string> = {};
    for (const actor of world.cast.actors) {
      const { own, other } = cells[actor.subject];
      expected[`${actor.name}, own account`] = own;
      answered[`${actor.name}, own account`] = String(await status(world, name, actor, actor.account));
      // Oneself is in one's own account alone.
      if (name.endsWith(':self')) continue;
      expected[`${actor.name}, other account`] = other;
      answered[`${actor.name}, other account`] = String(await status(world, name, actor, actor.other));
    }
    expect(answered).toEqual(expected);
  });
}
