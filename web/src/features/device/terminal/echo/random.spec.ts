import { describe, expect, it } from '@jest/globals';
import { editor, SlowLine } from '../../../../testing/slow-line.ts';
import type { Program } from '../../../../testing/slow-line.ts';

const RUNS = 150;
const KEYS = [...'abcdef  *', '\r', '\t', '\x1b', '\x7f', '\x7f', '\x1b[D', '\x1b[C', '漢', '\x03'];
const OUTPUT = [...'abcdef *$', '\r', '\n', '\b', '\x1b[C', '\x1b[D', '\x1b[K', '\x1b[P', '\x1b[@', '\x1b[H'];

/** A random source of one seed (Mulberry32). */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const pick = <T>(from: readonly T[], below: (most: number) => number): T => from[below(from.length)] as T;

/** A program that changes between echo, silence and any output at any key. */
function whim(below: (most: number) => number): Program {
  const line = editor();
  const noise = () => Array.from({ length: below(6) }, () => pick(OUTPUT, below)).join('');
  let kind = below(3);
  return (text) => {
    if (below(12) === 0) kind = below(3);
    return kind === 0 ? line(text) : kind === 1 ? '' : noise();
  };
}

/** Types random keys; fails as soon as something is shown though no key is younger than a round trip and 50 ms. */
function type(line: SlowLine, below: (most: number) => number, keys: readonly string[]): void {
  let last = -Infinity;
  line.onChange = () => {
    if (line.overlay && line.now - last > line.roundTrip + 50)
      throw new Error(`shown ${line.now - last} ms after a key`);
  };
  for (let count = 0; count < 60; count++) {
    last = line.now;
    line.key(pick(keys, below));
    if (below(8) === 0) line.print(pick(OUTPUT, below));
    line.pass(below(250));
  }
  line.pass(line.roundTrip + 50);
}

describe('predictions for random programs', () => {
  it('are over a round trip and 50 ms after the last key', () => {
    let shown = 0;
    for (let seed = 1; seed <= RUNS; seed++) {
      const below = random(seed);
      const line = new SlowLine(whim(below), 70 + below(500));
      const watch = line.predictor;
      type(line, below, KEYS);
      if (watch.pace.isSlow) shown += 1;
      expect(line.overlay).toBeNull();
      line.pass(500);
      expect(watch.nextAt).toBeNull();
    }
    // Else the test would prove nothing.
    expect(shown).toBeGreaterThan(RUNS / 2);
  });

  it('agree with every program that edits a line', () => {
    let shown = 0;
    for (let seed = 1; seed <= RUNS; seed++) {
      const below = random(seed);
      const line = new SlowLine(editor(), 300, 80);
      const keys = KEYS.filter((key) => !['\t', '\x1b', '漢', '\x03', '\r'].includes(key));
      // The same keys without a network between.
      const truth = new SlowLine(editor(), 0, 80);
      line.keys('a');
      truth.keys('a');
      line.pass(1_000);
      const states = new Set([truth.shown]);
      for (let count = 0; count < 40; count++) {
        const key = pick(keys, below);
        line.key(key);
        truth.key(key);
        truth.pass(50);
        states.add(truth.shown);
        if (line.overlay) shown += 1;
        expect(states).toContain(line.shown);
        line.pass(below(250));
      }
    }
    expect(shown).toBeGreaterThan(RUNS);
  });

  it('never show anything of a program that does not echo', () => {
    for (let seed = 1; seed <= RUNS; seed++) {
      const below = random(seed);
      const line = new SlowLine(editor(), 70 + below(500));
      line.keys('ls');
      line.pass(1_000);
      const moves = ['', '', '\x1b[C', '\b', '\r\n', '*', '\x1b[K'];
      line.program = () => pick(moves, below);
      line.key('\r');
      line.onChange = () => expect(line.overlay).toBeNull();
      line.keys(
        Array.from({ length: 40 }, () => pick(KEYS, below)),
        below(200),
      );
      line.pass(1_000);
    }
  });
});
