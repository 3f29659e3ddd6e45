import { describe, expect, it } from '@jest/globals';
import { Rush } from './rush.ts';

function dials(perSecond: number, seconds: number): Rush {
  const rush = new Rush();
  for (let turn = 0; turn <= perSecond * seconds; turn++) rush.dialled((turn * 1_000) / perSecond);
  return rush;
}

describe('Rush', () => {
  it('is on while many dial, and soon over', () => {
    const rush = dials(400, 5);
    expect(rush.isOn(5_000)).toBe(true);
    expect(rush.isOn(8_000)).toBe(false);
  });

  it('is none of a fleet that comes and goes', () => expect(dials(20, 60).isOn(60_000)).toBe(false));
});
