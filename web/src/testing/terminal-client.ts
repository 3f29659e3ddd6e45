import { jest } from '@jest/globals';
import { TerminalClient } from '../sockets/terminal/client.ts';
import { encodeText } from '../sockets/terminal/codec.ts';
import type { TerminalState } from '../sockets/terminal/types.ts';
import type { Ticket } from '../sockets/ticket.ts';
import { fakeSockets } from './fake-socket.ts';

export const ticket: Ticket = { token: 't', user: 'u', device: 'agent-1' };
export const words = (bytes: Uint8Array | string) =>
  typeof bytes === 'string' ? bytes : new TextDecoder().decode(bytes);
export const settle = () => jest.advanceTimersByTimeAsync(0);

/** A client whose hub is moved by hand. */
export function setUp(ask: () => Promise<Ticket> = () => Promise.resolve(ticket), session?: string) {
  const wire = fakeSockets();
  const client = new TerminalClient({ openSocket: wire.open, ticket: ask, size: { cols: 80, rows: 24 }, session });
  const states: TerminalState[] = [];
  const output: string[] = [];
  const gaps: number[] = [];
  const fresh: string[] = [];
  client.subscribe('status', ({ state }) => states.push(state));
  client.subscribe('output', (bytes) => output.push(words(bytes)));
  client.subscribe('gap', ({ bytes }) => gaps.push(bytes));
  client.subscribe('fresh', (one) => fresh.push(one.session));
  const open = async (session = 's1', offset = 0) => {
    client.connect();
    await settle();
    accept(session, offset);
  };
  const accept = (session: string, offset: number) => {
    wire.last().hear('connect');
    wire.last().hear('register_status', { success: true, session, offset });
  };
  const say = (text: string, offset: number) => wire.last().hear('output', { output: encodeText(text), offset });
  /** Lets the running wait end and the next connection be dialled. */
  const nextTry = async () => {
    await jest.advanceTimersByTimeAsync(Math.max(0, (client.status.retryAt ?? 0) - Date.now()));
    await settle();
  };
  return { client, wire, states, output, gaps, fresh, open, accept, say, nextTry };
}
