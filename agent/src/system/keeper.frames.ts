import type { Pin, PtySize } from './pty.ts';

/** The version of the keeper's protocol that this agent speaks; see `packaging/helper/keeper.h`. */
export const KEEPER_VERSION = 1;
/** Input that a keeper takes before the program has read it, in bytes. */
export const KEEPER_INPUT = 64 * 1024;
/** Input of one frame at most, in bytes. */
export const KEEPER_PIECE = 16 * 1024;
/** What a keeper gives back to a later agent, at most, in bytes. */
export const KEEPER_NOTE = 4096;

const HEAD = 5;
const LARGEST = 64 * 1024;
const LINE = 1024;
const PIN = 8;
/** What is left of a pin that does not run out. */
const WAITS = 0xffff_ffff;

/** A terminal as its keeper describes it to an agent that attaches. */
export interface KeeperState {
  /** Offsets in the output: the oldest byte, the next one, and the first one that must not be lost. */
  start: number;
  end: number;
  seen: number;
  pid: number;
  /** Bytes of input that the program has not read. */
  waiting: number;
  size: PtySize;
  /** What an agent before this one noted. */
  note: Buffer;
  /** Bytes typed by each writer, the latest last. */
  typed: [writer: string, count: number][];
  /** Undefined for a keeper of a version before that takes no pin. */
  pin: Pin | undefined;
}

/** What a keeper says. */
export type KeeperFrame =
  | { kind: 'hello'; version: number }
  | { kind: 'refused'; why: string }
  | { kind: 'state'; state: KeeperState }
  | { kind: 'data'; offset: number; data: Buffer }
  | { kind: 'typed'; writer: string; count: number }
  | { kind: 'read'; bytes: number }
  | { kind: 'exit'; code: number; signal: number; kills: number };

/** Reads a keeper's answer, and then its frames, from pieces of any size. */
export class KeeperReader {
  private readonly onFrame: (frame: KeeperFrame) => void;
  private rest = Buffer.alloc(0);
  private greeted = false;

  constructor(onFrame: (frame: KeeperFrame) => void) {
    this.onFrame = onFrame;
  }

  /**
   * Takes a piece; data of the frames that it completes is valid until `onFrame` returns.
   * @throws Error for what no keeper says
   */
  push(piece: Buffer): void {
    let bytes = this.rest.length === 0 ? piece : Buffer.concat([this.rest, piece]);
    if (!this.greeted) {
      const end = bytes.indexOf('\n');
      if (end === -1 && bytes.length < LINE) return void (this.rest = Buffer.from(bytes));
      const answer = greeting(bytes.toString('utf8', 0, end));
      this.greeted = true;
      bytes = bytes.subarray(end + 1);
      this.onFrame(answer);
    }
    while (bytes.length >= HEAD) {
      const size = bytes.readUInt32LE(0);
      if (size > LARGEST) throw new Error(`a frame of ${size} bytes`);
      if (bytes.length < HEAD + size) break;
      const frame = parse(bytes.readUInt8(4), bytes.subarray(HEAD, HEAD + size));
      bytes = bytes.subarray(HEAD + size);
      if (frame) this.onFrame(frame);
    }
    this.rest = bytes.length === 0 ? EMPTY : Buffer.from(bytes);
  }
}

const EMPTY = Buffer.alloc(0);

function greeting(line: string): KeeperFrame {
  const [, version] = /^kept (\d{1,4})$/.exec(line) ?? [];
  if (version !== undefined) return { kind: 'hello', version: Number(version) };
  const [, why] = /^refused (.*)$/.exec(line) ?? [];
  if (why !== undefined) return { kind: 'refused', why };
  throw new Error('it is no keeper');
}

/** A frame of a type that this agent does not know is skipped. */
function parse(type: number, payload: Buffer): KeeperFrame | undefined {
  const count = (at: number) => Number(payload.readBigUInt64LE(at));
  switch (String.fromCodePoint(type)) {
    case 'K':
      return { kind: 'state', state: stateOf(payload) };
    case 'D':
      return { kind: 'data', offset: count(0), data: payload.subarray(8) };
    case 'T':
      return { kind: 'typed', count: count(0), writer: payload.toString('utf8', 8) };
    case 'W':
      return { kind: 'read', bytes: payload.readUInt32LE(0) };
    case 'E':
      return { kind: 'exit', code: payload.readInt32LE(0), signal: payload.readInt32LE(4), kills: count(8) };
    default:
      return undefined;
  }
}

function stateOf(payload: Buffer): KeeperState {
  const count = (at: number) => Number(payload.readBigUInt64LE(at));
  const noteEnd = 38 + payload.readUInt16LE(36);
  const typed: [string, number][] = [];
  let at = noteEnd + 1;
  for (let left = payload.readUInt8(noteEnd); left > 0; left--) {
    const end = at + 9 + payload.readUInt8(at + 8);
    typed.push([payload.toString('utf8', at + 9, end), count(at)]);
    at = end;
  }
  return {
    start: count(0),
    end: count(8),
    seen: count(16),
    pid: payload.readUInt32LE(24),
    waiting: payload.readUInt32LE(28),
    size: { cols: payload.readUInt16LE(32), rows: payload.readUInt16LE(34) },
    note: Buffer.from(payload.subarray(38, noteEnd)),
    typed,
    pin: payload.length < at + PIN ? undefined : pinOf(payload.readUInt32LE(at), payload.readUInt32LE(at + 4)),
  };
}

const pinOf = (seconds: number, left: number): Pin => ({ seconds, left: left === WAITS ? undefined : left });

function frame(type: string, ...parts: Uint8Array[]): Buffer {
  const head = Buffer.alloc(HEAD);
  head.writeUInt32LE(parts.reduce((sum, part) => sum + part.length, 0));
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, ...parts]);
}

function u64(number: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(number));
  return bytes;
}

/** Encodes input from `offset` of what this writer types; a keeper leaves out what it has. */
export function inputFrame(writer: string, offset: number, bytes: Uint8Array): Buffer {
  const name = Buffer.from(writer);
  return frame('I', u64(offset), Buffer.from([name.length]), name, bytes);
}

/** Encodes that output before `offset` may be lost. */
export const seenFrame = (offset: number): Buffer => frame('A', u64(offset));

export const pauseFrame = (isPaused: boolean): Buffer => frame('P', Buffer.from([isPaused ? 1 : 0]));

export function sizeFrame({ cols, rows }: PtySize): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt16LE(cols, 0);
  bytes.writeUInt16LE(rows, 2);
  return frame('S', bytes);
}

/** Encodes that the program is to end as by a closed terminal window. */
export const hangUpFrame = (): Buffer => frame('H');

/** Encodes that nobody will ask for the exit again: the keeper ends with its program. */
export const forgetFrame = (): Buffer => frame('F');

/** Encodes what a later agent gets back, in place of the former note. */
export const noteFrame = (note: Uint8Array): Buffer => frame('M', note);

/** Encodes how long the program runs on without an agent. */
export function pinFrame({ seconds, left = WAITS }: Pin): Buffer {
  const bytes = Buffer.alloc(PIN);
  bytes.writeUInt32LE(seconds, 0);
  bytes.writeUInt32LE(left, 4);
  return frame('L', bytes);
}

/** The parts of a request for a terminal that is kept. */
export interface KeeperRequest {
  id: string;
  size: PtySize;
  /** Seconds without an agent after which the program ends. */
  orphan: number;
  note: Uint8Array;
  term: string;
  lang: string;
  userEmail: string;
}

/** Encodes the line by which an agent asks for a terminal, and what it gives along. */
export function keepRequest({ id, size, orphan, note, term, lang, userEmail }: KeeperRequest): Buffer {
  const numbers = [size.cols, size.rows, orphan, note.length].join(' ');
  return Buffer.concat([Buffer.from(`keep ${KEEPER_VERSION} ${id} ${numbers} ${term} ${lang} ${userEmail}\n`), note]);
}
