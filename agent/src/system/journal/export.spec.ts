import { describe, expect, it } from '@jest/globals';
import { toLine, LINE_FIELDS } from './entry.ts';
import { ExportParser, type ExportEntry } from './export.ts';

/** A field whose value's length is written before it. */
function counted(name: string, value: Buffer): Buffer {
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(value.length));
  return Buffer.concat([Buffer.from(`${name}\n`), length, value, Buffer.from('\n')]);
}

const head = '__CURSOR=s=1f;i=2\n__REALTIME_TIMESTAMP=1700000000000001\n';
const journal = Buffer.concat([
  Buffer.from(
    `${head}PRIORITY=3\n_SYSTEMD_UNIT=ssh.service\nSYSLOG_IDENTIFIER=sshd\n_PID=77\n_EXE=/bin/x\nMESSAGE=a=b\n\n`,
  ),
  Buffer.from(head),
  counted('MESSAGE', Buffer.from('two\nlines = 漢字')),
  Buffer.from('_COMM=cat\nPRIORITY=9\nMESSAGE=a second message\n\n'),
  Buffer.from(`${head}MESSAGE=${'x'.repeat(5000)}\n\n${head}`),
  counted('MESSAGE', Buffer.concat([Buffer.from([0xff, 0x00]), Buffer.from('\x1b[31m')])),
  Buffer.from('\n'),
]);

function parse(pieces: Iterable<Buffer>, keep = LINE_FIELDS) {
  const parser = new ExportParser(keep);
  const entries: ExportEntry[] = [];
  for (const piece of pieces) entries.push(...parser.push(piece));
  return entries.map((entry) => toLine(entry));
}

function* inPieces(whole: Buffer, size: number) {
  for (let at = 0; at < whole.length; at += size) yield Buffer.from(whole.subarray(at, at + size));
}

describe('the journal export format', () => {
  it('is parsed to lines', () => {
    const lines = parse([journal]);
    expect(lines).toHaveLength(4);
    const common = { cursor: 's=1f;i=2', time: 1_700_000_000_000_001n, cut: 0 };
    expect(lines[0]).toEqual({
      ...common,
      priority: 3,
      unit: 'ssh.service',
      identifier: 'sshd',
      pid: 77,
      message: 'a=b',
    });
    // An invalid priority, no pid, SYSLOG_IDENTIFIER missing in favour of the command's name; of two messages the first.
    const second = { priority: 6, unit: '', identifier: 'cat', pid: 0, message: 'two\nlines = 漢字' };
    expect(lines[1]).toEqual({ ...common, ...second });
    expect(lines[3]).toMatchObject({ message: '\ufffd\0\x1b[31m' });
  });

  it.each([1, 2, 3, 7, 64, 1000])('is the same in pieces of %d bytes', (size) => {
    expect(parse(inPieces(journal, size))).toEqual(parse([journal]));
  });

  it('cuts a long message at a character boundary, and says how much is missing', () => {
    const keep = { ...LINE_FIELDS, MESSAGE: 10 };
    const lines = parse(inPieces(journal, 64), keep);
    expect(lines[2]).toMatchObject({ message: 'xxxxxxxxxx', cut: 4990 });
    const kanji = Buffer.concat([
      Buffer.from(head),
      counted('MESSAGE', Buffer.from('漢'.repeat(100))),
      Buffer.from('\n'),
    ]);
    expect(parse([kanji], keep)[0]).toMatchObject({ message: '漢漢漢', cut: 290 });
  });

  it('bounds the buffer for an endless entry', () => {
    const parser = new ExportParser(LINE_FIELDS);
    expect(() => {
      for (let i = 0; i < 100; i++) parser.push(Buffer.from('no journal at all '));
    }).toThrow('not in the journal export format');
  });

  it('skips an entry without a cursor', () => {
    expect(parse([Buffer.from('MESSAGE=lost\n\n')])).toEqual([undefined]);
  });
});
