import type { HandlerContext } from '@connectrpc/connect';
import type { TerminalInput, TerminalRefusal, TerminalSizing } from '@warren/proto/agent/v1/agent';
import { randomUUID } from 'node:crypto';

/** One side of a terminal, held by the test. */
export interface ScriptedTerminal {
  session: string;
  inputs: TerminalInput[];
  /** Input bytes so far, as text. */
  typed(): string;
  acked(): number;
  sizes(): string[];
  /** Which windows are to set the size, as the hub asked. */
  sizings(): TerminalSizing[];
  /** Sends output; resolves when the stream has taken it. */
  print(bytes: Uint8Array | string): Promise<void>;
  exit(code: number, signal?: string): void;
  /** Sends the screen at an offset. */
  snapshot(offset: number, text: string): Promise<void>;
  /** Sends the size that the terminal has from now on. */
  resized(cols: number, rows: number): void;
  /** Tells what has been taken of what was typed. */
  accept(typed: number): void;
  refuse(reason: string, code: TerminalRefusal): void;
  /** True once the hub has closed the stream. */
  left: boolean;
  offset: number;
}

interface Scripting {
  /** Called with the terminal when the call has begun. */
  begun: (terminal: ScriptedTerminal) => void;
  /** Called when the hub has opened it, before the answer. */
  opened: ((terminal: ScriptedTerminal) => void) | undefined;
  /** Whether other browsers may join it. */
  shares: boolean | undefined;
  /** Whether it can be recorded. */
  records: boolean | undefined;
}

/** Serves a call for a terminal by what a test does with it. */
export async function* serveScripted(
  inputs: AsyncIterable<TerminalInput>,
  context: HandlerContext,
  { begun, opened, shares, records }: Scripting,
) {
  const outputs: { kind: object; taken: () => void }[] = [];
  let wake = () => {};
  let ended = false;
  const emit = (kind: object) =>
    new Promise<void>((taken) => {
      outputs.push({ kind, taken });
      wake();
    });
  const received: TerminalInput[] = [];
  const decoder = new TextDecoder();
  const terminal: ScriptedTerminal = {
    session: randomUUID(),
    inputs: received,
    left: false,
    offset: 0,
    typed: () =>
      decoder.decode(Buffer.concat(received.map(({ kind }) => (kind.case === 'data' ? kind.value : Buffer.alloc(0))))),
    acked: () => Number(received.findLast(({ kind }) => kind.case === 'ack')?.kind.value ?? 0n),
    sizes: () =>
      received.flatMap(({ kind }) => (kind.case === 'resize' ? [`${kind.value.cols}x${kind.value.rows}`] : [])),
    sizings: () => received.flatMap(({ kind }) => (kind.case === 'sizing' ? [kind.value] : [])),
    print: (text) => {
      const data = typeof text === 'string' ? Buffer.from(text) : text;
      const offset = BigInt(terminal.offset);
      terminal.offset += data.length;
      return emit({ case: 'data', value: { offset, data } });
    },
    exit: (code, signal = '') => {
      void emit({ case: 'exit', value: { code, signal } });
      ended = true;
    },
    snapshot: (offset, text) => {
      terminal.offset = offset;
      const size = { cols: 80, rows: 24 };
      return emit({ case: 'snapshot', value: { offset: BigInt(offset), data: Buffer.from(text), size } });
    },
    resized: (cols, rows) => void emit({ case: 'size', value: { cols, rows } }),
    accept: (typed) => void emit({ case: 'accepted', value: { typed: BigInt(typed) } }),
    refuse: (reason, code) => {
      void emit({ case: 'refused', value: { reason, code } });
      ended = true;
    },
  };
  begun(terminal);
  const reading = (async () => {
    for await (const input of inputs) {
      received.push(input);
      if (input.kind.case === 'open') {
        if (input.kind.value.session !== '') terminal.session = input.kind.value.session;
        terminal.offset = Number(input.kind.value.offset);
        opened?.(terminal);
        const joined = shares === true && input.kind.value.join !== false;
        const shared = joined ? { joined, size: { cols: 80, rows: 24 } } : {};
        const offset = BigInt(terminal.offset);
        const record = Number(input.kind.value.record ?? 0);
        const recording = records ? record : 0;
        void emit({ case: 'opened', value: { session: terminal.session, offset, ...shared, recording } });
      }
      if (input.kind.case === 'close') terminal.exit(0, 'SIGHUP');
    }
  })().catch(() => {});
  const aborted = new Promise<void>((resolve) =>
    context.signal.addEventListener('abort', () => resolve(), { once: true }),
  );
  try {
    while (!context.signal.aborted) {
      const next = outputs.shift();
      if (next) {
        yield { kind: next.kind } as never;
        next.taken();
      } else if (ended) return;
      else await Promise.race([aborted, new Promise<void>((resolve) => (wake = resolve))]);
    }
  } finally {
    terminal.left = true;
    void reading;
  }
}
