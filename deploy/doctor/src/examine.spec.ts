import { describe, expect, it } from '@jest/globals';
import { untilSettled } from './examine.ts';
import { findings, type Finding } from './finding.ts';

const refused = [findings('redis').fail('connect ECONNREFUSED', 'See whether Redis runs.')];
const reached = [findings('redis').ok('it answers')];

function looks(...rounds: Finding[][]) {
  let count = 0;
  return { look: async () => rounds[Math.min(count++, rounds.length - 1)] ?? [], count: () => count };
}

describe('what fails at first', () => {
  it('is looked at again until nothing fails', async () => {
    const { look, count } = looks(refused, refused, reached);
    expect(await untilSettled(look, 60_000, 1)).toEqual(reached);
    expect(count()).toBe(3);
  });

  it('is looked at once without time to settle, and not for ever with it', async () => {
    const once = looks(refused);
    expect(await untilSettled(once.look, 0, 1)).toEqual(refused);
    expect(once.count()).toBe(1);
    const often = looks(refused);
    expect(await untilSettled(often.look, 20, 1)).toEqual(refused);
    expect(often.count()).toBeGreaterThan(1);
  });
});
