import { describe, expect, it } from '@jest/globals';
import { MaskedOutput } from './masked.output.ts';
import { Redactions, requireExpression } from '../redact/redactions.ts';

describe('redactions', () => {
  it('mask each match, in place', () => {
    const redactions = new Redactions(['password=\\S+', '\\d{4}-\\d{4}']);
    expect(redactions.mask('user=ada password=x card 1234-5678 end')).toBe('user=ada ********** card ********* end');
    expect(redactions.mask('nothing')).toBe('nothing');
    expect(new Redactions(['x*']).mask('abxxc')).toBe('ab**c');
  });

  it('mask every match of a long text', () => {
    expect(new Redactions(['\\d']).mask('7 '.repeat(30_000))).toBe('* '.repeat(30_000));
  });

  it('mask all of a text that takes too long', () => {
    const text = 'ab'.repeat(100_000);
    expect(new Redactions(['a(.*x)?']).mask(text)).toBe('*'.repeat(text.length));
  });

  it('are refused if they repeat too much', () => {
    expect(() => requireExpression(`(${'a?'.repeat(200)}){500}`)).toThrow('smaller');
    expect(() => requireExpression('[0-9a-f]{1000}')).not.toThrow();
  });

  it('take a time that grows with the text alone', () => {
    const redactions = new Redactions(['(a+)+$', '(a|aa)+$', '(.*)*x$']);
    const started = performance.now();
    redactions.mask(`${'a'.repeat(20_000)}!`);
    // A backtracking engine would not end in years.
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  it.each(['(', '(?=a)', '(a)\\1', '[z-a]'])('do not take %s', (expression) => {
    expect(() => requireExpression(expression)).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
  });
});

describe('masked output', () => {
  const masked = (pieces: string[], ...expressions: string[]) => {
    const output = new MaskedOutput(new Redactions(expressions));
    const ready = pieces.flatMap((text, atMs) => output.push({ atMs, text }));
    return [...ready, ...output.flush()];
  };

  it('keeps times and lengths', () => {
    expect(masked(['a se', 'cre', 't b\r\n', 'c'], 'secret')).toEqual([
      { atMs: 0, text: 'a **' },
      { atMs: 1, text: '***' },
      { atMs: 2, text: '* b\r\n' },
      { atMs: 3, text: 'c' },
    ]);
  });

  it('looks through colours, titles and cursor movements', () => {
    const [one] = masked(['\u001b]0;secret\u0007s\u001b[1me\u001b[31;1mc\u001b(Bret\u001b[K\n'], 'secret');
    expect(one?.text).toBe('\u001b]0;secret\u0007*\u001b[1m*\u001b[31;1m*\u001b(B***\u001b[K\n');
  });

  it('holds back no more than a long line', () => {
    const output = new MaskedOutput(new Redactions(['secret']));
    let held = 0;
    for (let at = 0; at < 100; at++) {
      held += 10_000;
      for (const { text } of output.push({ atMs: at, text: 'x'.repeat(10_000) })) held -= text.length;
      expect(held).toBeLessThanOrEqual(70_000);
    }
  });

  it('passes everything on at once without expressions', () => {
    expect(masked(['a', 'b'])).toEqual([
      { atMs: 0, text: 'a' },
      { atMs: 1, text: 'b' },
    ]);
  });
});
