import { beforeEach, describe, expect, it } from '@jest/globals';
import { create } from '@bufbuild/protobuf';
import { Recording, TerminalOutputSchema, type TerminalOutput } from '@warren/proto/agent/v1/agent';
import { setImmediate as turn } from 'node:timers/promises';
import type { CallEvents } from '../links/call.ts';
import { Attachment } from './attachment.ts';
import type { AttachmentRole } from './attachment.options.ts';
import { registerMessage } from './messages.ts';

const LARGEST = 2n ** 64n - 1n;

/** The agent's side of an attachment. */
class Call {
  ready = true;
  paused = false;
  readonly sent: object[] = [];
  constructor(readonly events: CallEvents<TerminalOutput>) {}
  send(message: object): void {
    this.sent.push(message);
  }
  pause(): void {
    this.paused = true;
  }
  resume(): void {
    this.paused = false;
  }
  end(): void {}
  cancel(): void {
    this.events.ended(new Error('cancelled'));
  }
  says(kind: object): void {
    this.events.message(create(TerminalOutputSchema, { kind } as never));
  }
}

describe('an attachment', () => {
  let call: Call;
  let events: string[];
  const sink = { isBusy: false };
  let beforeOpen: () => Promise<void>;
  const use = { toDevice: () => {}, fromDevice: () => {} };

  const attach = async (role: AttachmentRole, acks = true) => {
    const begin = (given: CallEvents<TerminalOutput>) => (call = new Call(given));
    const link = { terminal: begin, follow: begin, alive: true };
    const attachment = new Attachment({
      link: link as never,
      owner: 'ada',
      email: 'bob@example.org',
      role,
      use: use as never,
      onAccepted: () => {},
      onPressure: () => {},
      request: registerMessage.parse({ session: 's', encoding: 'binary', acks }),
      sink: { busy: () => sink.isBusy, send: ({ offset }) => void events.push(`output ${offset}`) },
      record: Recording.UNSPECIFIED,
      beforeOpen,
      onOpened: () => void events.push('opened'),
      screen: {
        onSnapshot: ({ offset }) => events.push(`snapshot ${offset}`),
        onSize: ({ cols }) => events.push(`size ${cols}`),
      },
    });
    const ending = attachment.run();
    await turn();
    call.says({ case: 'opened', value: { session: 's', offset: 0n } });
    return { attachment, ending };
  };
  const snapshot = (offset: number) =>
    call.says({ case: 'snapshot', value: { offset: BigInt(offset), data: Buffer.alloc(9), size: { cols: 80 } } });

  beforeEach(() => {
    events = [];
    sink.isBusy = false;
    beforeOpen = () => Promise.resolve();
  });

  it('keeps only the newest snapshot and size for a busy browser, and reads no more meanwhile', async () => {
    const { attachment } = await attach('reader');
    sink.isBusy = true;
    for (let offset = 1; offset <= 1_000; offset++) {
      call.says({ case: 'size', value: { cols: 10, rows: 10 } });
      snapshot(offset);
      call.says({ case: 'size', value: { cols: offset, rows: 10 } });
    }
    call.says({ case: 'data', value: { offset: 1_000n, data: Buffer.from('a') } });
    await turn();
    expect(events).toEqual(['opened']);
    expect(call.paused).toBe(true);
    sink.isBusy = false;
    attachment.pump();
    expect(events).toEqual(['opened', 'snapshot 1000', 'size 1000', 'output 1000']);
    expect(call.paused).toBe(false);
  });

  it('stays paused for a snapshot that replaces queued output', async () => {
    const { attachment } = await attach('reader');
    sink.isBusy = true;
    call.says({ case: 'data', value: { offset: 0n, data: Buffer.alloc(300 * 1024) } });
    snapshot(300 * 1024);
    await turn();
    expect(call.paused).toBe(true);
    sink.isBusy = false;
    attachment.pump();
    expect(call.paused).toBe(false);
  });

  it('shows the last screen before the exit, also to a busy browser', async () => {
    const { ending } = await attach('reader');
    sink.isBusy = true;
    snapshot(7);
    call.says({ case: 'exit', value: { code: 0 } });
    expect(await ending).toMatchObject({ kind: 'exit' });
    expect(events).toEqual(['opened', 'snapshot 7']);
  });

  it.each([
    ['snapshot', { offset: LARGEST }],
    ['data', { offset: 2n ** 53n }],
    ['accepted', { typed: LARGEST }],
  ])('refuses a count that is too large in %s', async (name, value) => {
    await attach('reader', false);
    expect(() => call.says({ case: name, value })).toThrow('It sent an offset above 2^53 - 1.');
  });

  it('sends a reader what a reader may send', async () => {
    const { attachment } = await attach('reader', false);
    attachment.type('ls');
    attachment.resize({ cols: 9, rows: 9 });
    snapshot(5);
    expect(call.sent).toEqual([
      { kind: { case: 'open', value: { session: 's', offset: 0n, userId: 'ada', userEmail: 'bob@example.org' } } },
      { kind: { case: 'ack', value: 5n } },
    ]);
    (await attach('writer')).attachment.type('ls');
    expect(call.sent).toMatchObject([
      { kind: { case: 'open', value: { join: true, size: { cols: 80, rows: 24 } } } },
      { kind: { case: 'data' } },
    ]);
  });
});
