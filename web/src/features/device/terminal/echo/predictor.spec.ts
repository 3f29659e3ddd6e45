import { describe, expect, it } from '@jest/globals';
import { editor, SlowLine } from '../../../../testing/slow-line.ts';
import type { Program } from '../../../../testing/slow-line.ts';

const LEFT = '\x1b[D';
const RIGHT = '\x1b[C';
const BACK = '\x7f';
const SECOND = 1_000;

/** A line whose first characters the program has echoed. */
function confirmed(text = 'ab', program: Program = editor(), roundTrip = 300): SlowLine {
  const line = new SlowLine(program, roundTrip);
  line.keys(text);
  line.pass(SECOND);
  expect(line.shown).toBe(`${text}|`);
  return line;
}

describe('local echo of a program that echoes', () => {
  it('shows nothing before the program has proved that it echoes', () => {
    const line = new SlowLine(editor());
    line.keys('ab');
    expect(line.shown).toBe('|');
    line.pass(110);
    expect(line.shown).toBe('ab|');
    expect(line.overlay?.cells).toMatchObject([{ col: 1, char: 'b', underlined: true }]);
  });

  it('shows a key at once, underlined until it is confirmed', () => {
    const line = confirmed();
    line.key('c');
    expect(line.overlay?.cells).toEqual([{ col: 2, char: 'c', width: 1, underlined: true }]);
    expect(line.overlay?.cursor).toMatchObject({ col: 3 });
    line.pass(301);
    expect(line.overlay).toBeNull();
    expect(line.screen.row).toBe('abc');
  });

  it('inserts, erases and moves in the middle of the line', () => {
    const line = confirmed('abc');
    line.keys([LEFT, LEFT, 'x'], 0);
    expect(line.shown).toBe('ax|bc');
    line.keys([BACK, RIGHT, BACK], 0);
    expect(line.shown).toBe('a|c');
    line.pass(SECOND);
    expect(line.screen.row).toBe('ac');
    expect(line.overlay).toBeNull();
  });

  it('does not erase the prompt', () => {
    const line = new SlowLine(editor());
    line.screen.write('$ ');
    line.keys('ab');
    line.pass(SECOND);
    line.keys([BACK, BACK, BACK, 'x'], 0);
    expect(line.shown).toBe('$ |');
    line.pass(SECOND);
    expect(line.screen.row).toBe('$ x');
  });

  it('continues after Enter only when the next line is confirmed', () => {
    const line = confirmed();
    line.key('\r');
    expect(line.shown).toBe('ab|');
    line.pass(400);
    line.key('c');
    expect(line.shown).toBe('$ |');
    line.pass(301);
    expect(line.shown).toBe('$ c|');
    line.keys('d', 0);
    expect(line.shown).toBe('$ cd|');
  });

  it('catches up with somebody who never pauses', () => {
    const line = confirmed();
    line.keys('\rthe quick brown');
    expect(line.shown).toBe('$ the quick brown|');
    expect(line.overlay).not.toBeNull();
  });

  it('leaves the last column, pastes and wide characters to the program', () => {
    const line = confirmed('a'.repeat(18));
    line.keys('bc', 0);
    expect(line.shown).toBe(`${'a'.repeat(18)}b|`);
    line.pass(SECOND);
    const other = confirmed();
    other.keys(['漢', 'x'], 0);
    expect(other.shown).toBe('ab|');
    other.pass(SECOND);
    other.keys(['two words', '\x1b[200~x\x1b[201~'], 0);
    expect(other.overlay).toBeNull();
  });

  it('learns that a program overwrites', () => {
    const line = confirmed('abcd');
    line.keys(['\x1b[D', '\x1b[D', '\x1b[D'], 0);
    line.pass(SECOND);
    line.program = (text) => text;
    line.key('x');
    expect(line.shown).toBe('ax|bcd');
    line.pass(SECOND);
    line.key('y');
    expect(line.shown).toBe('axy|d');
  });
});

describe('local echo of a program that does not echo', () => {
  it('shows nothing at all of a password', () => {
    const line = confirmed();
    let typed = '';
    line.program = (text) => {
      if (text === '\r') return '\r\nPassword: ';
      typed += text;
      return '';
    };
    const shown: string[] = [];
    line.key('\r');
    line.onChange = () => void (line.overlay && shown.push(line.shown));
    line.keys('secret');
    line.pass(SECOND);
    line.keys([...'more', BACK, LEFT, 'x']);
    line.pass(SECOND);
    expect(typed).toContain('secret');
    expect(shown).toEqual([]);
  });

  it('takes masks for no proof', () => {
    const line = new SlowLine((text) => (text === '\r' ? '\r\n' : '*'));
    line.keys('ab*cd');
    line.pass(SECOND);
    line.keys('*x', 0);
    expect(line.overlay).toBeNull();
  });

  it('removes a wrong character within a round trip and 50 ms, and shows no other', () => {
    const line = confirmed();
    line.program = () => '';
    const since = line.now;
    line.keys('xy', 0);
    expect(line.shown).toBe('abxy|');
    line.pass(350);
    expect(line.now - since).toBeLessThanOrEqual(350);
    expect(line.overlay).toBeNull();
    line.keys('zzz');
    line.pass(SECOND);
    expect(line.overlay).toBeNull();
  });

  it('returns when the echo was only late', () => {
    const line = confirmed();
    const { program } = line;
    let late = '';
    line.program = (text) => ((late += program(text)), '');
    line.keys('cd', 0);
    line.pass(350);
    line.key('e');
    expect(line.overlay).toBeNull();
    line.print(late);
    line.pass(160);
    expect(line.shown).toBe('abcde|');
  });

  it('is hidden at once by output that contradicts it', () => {
    const line = confirmed();
    line.program = () => '';
    line.print('\r\nmessage\r\n$ ');
    line.keys('x', 0);
    expect(line.shown).toBe('abx|');
    line.pass(150);
    expect(line.overlay).toBeNull();
  });

  it('shows no commands of a full-screen program', () => {
    const line = confirmed();
    // As vim's normal mode: keys move, delete, and write at the foot.
    const effects: Record<string, string> = { l: '\x1b[C', h: '\b', x: '\x1b[P', i: '', $: '\x1b[9C' };
    line.program = (text) => effects[text] ?? '';
    line.key('\x1b');
    line.pass(SECOND);
    line.onChange = () => expect(line.overlay).toBeNull();
    line.keys('hhlx$hhxilx'.repeat(3), 40);
    line.pass(SECOND);
  });
});

describe('when local echo is active', () => {
  it('is not on a fast line, unless an echo is late', () => {
    const line = confirmed('ab', editor(), 20);
    line.key('c');
    expect(line.overlay).toBeNull();
    line.pass(SECOND);
    // The line stalls: nothing comes for a second.
    const program = line.program;
    line.program = () => '';
    line.predictor.typed('d', 1_000, line.now);
    line.pass(249);
    expect(line.overlay).toBeNull();
    line.pass(2);
    expect(line.shown).toBe('abcd|');
    line.predictor.reset();
    line.program = program;
  });

  it('begins above 60 ms and ends below 40 ms', () => {
    const { pace } = confirmed('ab', editor(), 20).predictor;
    const echoes = (ms: number, shown = false) => {
      for (let echo = 0; echo < 5; echo++) pace.echoed(ms, 0, shown);
      return pace.isSlow;
    };
    expect(echoes(60)).toBe(false);
    expect(echoes(61)).toBe(true);
    expect(echoes(41)).toBe(true);
    expect(echoes(30, true)).toBe(true);
    expect(echoes(30)).toBe(false);
    // A single late one is no slow line.
    pace.echoed(240, 0, false);
    expect(pace.isSlow).toBe(false);
  });

  it('is as the person chose: always, or never', () => {
    const line = confirmed('ab', editor(), 20);
    line.predictor.mode = 'always';
    line.key('c');
    expect(line.shown).toBe('abc|');
    line.predictor.mode = 'never';
    expect(line.overlay).toBeNull();
    line.key('d');
    line.pass(SECOND);
    expect(line.screen.row).toBe('abcd');
    expect(line.predictor.nextAt).toBeNull();
  });

  it('drops everything on a reset', () => {
    const line = confirmed();
    line.keys('cd', 0);
    line.predictor.reset();
    expect(line.overlay).toBeNull();
    line.key('e');
    expect(line.overlay).toBeNull();
  });
});
