import { describe, expect, it } from '@jest/globals';
import type { RuleState } from '../records/settle.sql.ts';
import { isEmpty, transitionOf, type Match } from './transition.ts';

const NOW = new Date('2026-12-05T12:00:00Z');
const MINUTE = 60_000;
const ago = (minutes: number) => new Date(NOW.getTime() - minutes * MINUTE);
const match = (deviceId: string, current = true): Match => ({ deviceId, name: deviceId, current, detail: '' });

function after(matches: Match[], state: Partial<RuleState>, holdMinutes = 10) {
  const { open = new Map<string, string>(), held = new Map<string, Date>() } = state;
  const change = transitionOf(matches, { open, held }, { now: NOW, holdMs: holdMinutes * MINUTE });
  return { ...change, open: change.open.map(({ deviceId }) => deviceId) };
}

const NOTHING = { hold: [], release: [], open: [], close: [] };

describe('a device that a condition holds for', () => {
  it('is held first', () => {
    expect(after([match('a')], {})).toEqual({ ...NOTHING, hold: ['a'] });
    expect(after([match('a')], { held: new Map([['a', ago(9)]]) })).toEqual(NOTHING);
  });

  it('opens an alert once it was held for so long', () => {
    expect(after([match('a')], { held: new Map([['a', ago(10)]]) })).toEqual({
      ...NOTHING,
      open: ['a'],
      release: ['a'],
    });
  });

  it('opens one at once without a time to hold', () => {
    expect(after([match('a')], {}, 0)).toEqual({ ...NOTHING, open: ['a'] });
  });

  it('opens one alert alone', () => {
    expect(
      isEmpty(transitionOf([match('a')], { open: new Map([['a', '1']]), held: new Map() }, { now: NOW, holdMs: 0 })),
    ).toBe(true);
  });

  it('opens and closes nothing by what it told before it was disconnected', () => {
    expect(after([match('a', false)], {}, 0)).toEqual(NOTHING);
    expect(after([match('a', false)], { held: new Map([['a', ago(60)]]) })).toEqual({ ...NOTHING, release: ['a'] });
    expect(after([match('a', false)], { open: new Map([['a', '1']]) })).toEqual(NOTHING);
  });
});

describe('a device that it no longer holds for', () => {
  it('closes its alert', () => {
    expect(after([], { open: new Map([['a', '1']]) })).toEqual({ ...NOTHING, close: ['1'] });
  });

  it('is held no more', () => {
    expect(after([], { held: new Map([['a', ago(60)]]) })).toEqual({ ...NOTHING, release: ['a'] });
  });
});
