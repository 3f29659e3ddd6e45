import { describe, expect, it } from '@jest/globals';
import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { TerminalInputSchema, TerminalRefusal, type TerminalInput } from '@warren/proto/agent/v1/agent';
import pino from 'pino';
import type { Pty } from '../system/pty.ts';
import { DEFAULT_LIMITS } from './limits.ts';
import { SessionRegistry } from './registry.ts';
import { serveTerminal } from './terminal.ts';

type Kind = MessageInitShape<typeof TerminalInputSchema>['kind'];

const log = pino({ level: 'silent' });

/** A hub's side of a call: what it says, one after the other. */
function caller(registry: SessionRegistry) {
  const said: TerminalInput[] = [];
  let wake = () => {};
  const say = (kind: Kind) => {
    said.push(create(TerminalInputSchema, { kind }));
    wake();
  };
  const inputs = (async function* () {
    for (;;) {
      const next = said.shift();
      if (next) yield next;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
  })();
  return { say, outputs: serveTerminal(registry, inputs, new AbortController().signal, log) };
}

const size = { cols: 80, rows: 24 };
const open = (writer: string, session = '') =>
  ({ case: 'open', value: { session, size, userId: 'u', userEmail: 'u@example.com', writer } }) as const;
const data = (text: string) => ({ case: 'data', value: Buffer.from(text) }) as const;

describe('the Terminal call', () => {
  it('types nothing more for a screen whose terminal another one has taken over', async () => {
    const typed: string[] = [];
    const pty: Pty = {
      ...{ pid: 1, backlog: 0, onData: () => {}, onWritable: () => {}, onExit: () => {} },
      ...{ resize: () => {}, pause: () => {}, resume: () => {}, hangUp: () => {} },
      write: (bytes) => typed.push(Buffer.from(bytes).toString()),
    };
    const registry = new SessionRegistry(() => pty, DEFAULT_LIMITS, log);
    const first = caller(registry);
    first.say(open('a'));
    const { value: opened } = await first.outputs.next();
    const session = opened?.kind.case === 'opened' ? opened.kind.value.session : '';
    first.say(data('mine,'));
    expect((await first.outputs.next()).value?.kind).toMatchObject({ case: 'accepted', value: { typed: 5n } });

    const second = caller(registry);
    second.say(open('b', session));
    expect((await second.outputs.next()).value?.kind).toMatchObject({ case: 'opened', value: { typed: 0n } });
    first.say(data('late,'));
    second.say(data('yours'));
    expect((await first.outputs.next()).value?.kind).toMatchObject({
      case: 'refused',
      value: { code: TerminalRefusal.TAKEN_OVER },
    });
    expect((await second.outputs.next()).value?.kind).toMatchObject({ case: 'accepted', value: { typed: 5n } });
    expect(typed).toEqual(['mine,', 'yours']);

    const again = caller(registry);
    again.say(open('a', session));
    expect((await again.outputs.next()).value?.kind).toMatchObject({ case: 'opened', value: { typed: 5n } });
    registry.closeAll();
  });
});
