import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { createClient } from '@connectrpc/connect';
import { createConnectTransport, Http2SessionManager } from '@connectrpc/connect-node';
import { AgentService, TerminalInputSchema, TerminalRefusal, type TerminalInput } from '@warren/proto/agent/v1/agent';
import { once } from 'node:events';
import http2, { type Http2Server } from 'node:http2';
import type { AddressInfo } from 'node:net';
import pino from 'pino';
import type { Pty } from '../system/pty.ts';
import { DEFAULT_LIMITS } from './limits.ts';
import { TerminalRegistry } from './registry.ts';
import { serveTerminal } from './service.ts';

type Kind = MessageInitShape<typeof TerminalInputSchema>['kind'];

const log = pino({ level: 'silent' });

const typed: string[] = [];
const pty: Pty = {
  pid: 1,
  backlog: 0,
  onData: () => {},
  onWritable: () => {},
  onExit: () => {},
  resize: () => {},
  pause: () => {},
  resume: () => {},
  hangUp: () => {},
  write: (bytes) => typed.push(Buffer.from(bytes).toString()),
};

let registry: TerminalRegistry;
let server: Http2Server;
let sessions: Http2SessionManager;

/** A hub's side of a call: what it says, one after the other. */
function caller() {
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
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = createClient(
    AgentService,
    createConnectTransport({ baseUrl, httpVersion: '2', sessionManager: sessions }),
  );
  return { say, outputs: client.terminal(inputs)[Symbol.asyncIterator]() };
}

const size = { cols: 80, rows: 24 };
const open = (writer: string, session = '') =>
  ({ case: 'open', value: { session, size, userId: 'u', userEmail: 'u@example.com', writer } }) as const;
const data = (text: string) => ({ case: 'data', value: Buffer.from(text) }) as const;

describe('the Terminal call', () => {
  beforeEach(async () => {
    typed.length = 0;
    registry = new TerminalRegistry(() => pty, DEFAULT_LIMITS, log);
    server = http2.createServer((request, response) => {
      if (!serveTerminal(registry, log, request, response)) response.writeHead(404).end();
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    sessions = new Http2SessionManager(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  });
  afterEach(() => {
    registry.closeAll();
    sessions.abort();
    server.close();
  });

  it('types nothing more for a screen after another one has taken over', async () => {
    const first = caller();
    first.say(open('a'));
    const { value: opened } = await first.outputs.next();
    const session = opened?.kind.case === 'opened' ? opened.kind.value.session : '';
    first.say(data('mine,'));
    expect((await first.outputs.next()).value?.kind).toMatchObject({ case: 'accepted', value: { typed: 5n } });

    const second = caller();
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

    const again = caller();
    again.say(open('a', session));
    expect((await again.outputs.next()).value?.kind).toMatchObject({ case: 'opened', value: { typed: 5n } });
  });

  it('refuses unexpected input by name', async () => {
    const late = caller();
    late.say(data('x'));
    await expect(late.outputs.next()).rejects.toThrow(
      '[invalid_argument] expected `open` as the first input, not `data`',
    );
    const twice = caller();
    twice.say(open('a'));
    await twice.outputs.next();
    twice.say(open('a'));
    const refused = await twice.outputs.next();
    expect(refused.value?.kind).toMatchObject({ case: 'refused', value: { reason: '`open` came twice' } });
    expect((await twice.outputs.next()).done).toBe(true);
  });
});
