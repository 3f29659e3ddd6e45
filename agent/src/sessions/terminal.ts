import { create } from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';
import { TerminalOutputSchema, type TerminalInput, type TerminalOutput } from '@warren/proto/agent/v1/agent';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { z } from 'zod';
import { SessionRefused } from '../errors.ts';
import { parseRequest } from '../request.ts';
import { signalName } from '../system/signals.ts';
import type { Attachment, AttachmentEvent } from './attachment.ts';
import type { SessionRegistry } from './registry.ts';

const OPEN_WITHIN_MS = 10_000;

const size = z.object({ cols: z.int().min(1).max(1000), rows: z.int().min(1).max(1000) });
const offset = z.bigint().max(BigInt(Number.MAX_SAFE_INTEGER)).transform(Number);
const open = z.object({
  session: z.string().max(64),
  offset,
  size,
  term: z.string().regex(/^[A-Za-z0-9+._-]{0,64}$/, 'not the name of a terminal type'),
  writer: z.string().max(64),
  userId: z.string().min(1).max(128),
  userEmail: z
    .string()
    .max(320)
    .regex(/^[^\p{Cc}]*$/u, 'has a control character'),
});

/**
 * The `Terminal` call: one attachment to one session. Input is read beside the output, so a keystroke never waits behind what
 * the program prints.
 */
export async function* serveTerminal(
  registry: SessionRegistry,
  inputs: AsyncIterable<TerminalInput>,
  signal: AbortSignal,
  log: Logger,
): AsyncGenerator<TerminalOutput> {
  const input = inputs[Symbol.asyncIterator]();
  let attachment: Attachment;
  try {
    attachment = begin(registry, await firstInput(input));
  } catch (error) {
    if (!(error instanceof SessionRefused)) throw error;
    const { message: reason, code } = error;
    yield create(TerminalOutputSchema, { kind: { case: 'refused', value: { reason, code } } });
    return;
  }
  const detach = () => attachment.end();
  signal.addEventListener('abort', detach, { once: true });
  if (signal.aborted) detach();
  void readInput(attachment, input, log);
  try {
    const { session, from, writer } = attachment;
    const typed = writer === '' ? {} : { typed: BigInt(session.typed.of(writer)) };
    const opened = { session: session.id, offset: BigInt(from), ...typed };
    yield create(TerminalOutputSchema, { kind: { case: 'opened', value: opened } });
    for await (const event of attachment.events()) yield encode(event);
  } finally {
    signal.removeEventListener('abort', detach);
    attachment.end();
  }
}

async function firstInput(input: AsyncIterator<TerminalInput>): Promise<TerminalInput> {
  const late = new AbortController();
  try {
    const first = await Promise.race([
      input.next(),
      sleep(OPEN_WITHIN_MS, undefined, { signal: late.signal, ref: false }),
    ]);
    if (!first || first.done) throw new ConnectError('expected `open` as the first input', Code.InvalidArgument);
    return first.value;
  } finally {
    late.abort();
  }
}

function begin(registry: SessionRegistry, first: TerminalInput): Attachment {
  if (first.kind.case !== 'open') {
    throw new ConnectError(`expected \`open\` as the first input, not \`${first.kind.case}\``, Code.InvalidArgument);
  }
  const request = parseRequest(open, first.kind.value);
  const { session, userId, size: wanted, writer } = request;
  if (session !== '') return registry.attach(session, userId, request.offset, wanted, writer);
  return registry.create({ ...request, term: request.term || 'xterm-256color' });
}

/** Acts on input until there is no more of it; then the browser is gone, and the session waits for it. */
async function readInput(attachment: Attachment, input: AsyncIterator<TerminalInput>, log: Logger): Promise<void> {
  for (let next = await nextInput(input); next; next = await nextInput(input)) {
    // What was under way when another screen took over is not typed: who sent it is told how far it got.
    if (attachment.ended) return;
    try {
      act(attachment, next);
    } catch (error) {
      return attachment.end(reasonOf(error, log), error instanceof SessionRefused ? error.code : undefined);
    }
    await attachment.session.inputRoom();
  }
  attachment.end();
}

/** The next input, or undefined at the end; a broken stream is an ordinary way to leave. */
async function nextInput(input: AsyncIterator<TerminalInput>): Promise<TerminalInput | undefined> {
  try {
    const { done, value } = await input.next();
    return done ? undefined : value;
  } catch {
    return undefined;
  }
}

/** What the browser did wrong it is told; what the agent did wrong stands in its log. */
function reasonOf(error: unknown, log: Logger): string {
  if (error instanceof SessionRefused) return error.message;
  if (error instanceof ConnectError && error.code === Code.InvalidArgument) return error.rawMessage;
  log.error({ err: error }, 'terminal input failed');
  return 'the agent failed; its log says why';
}

function act(attachment: Attachment, { kind }: TerminalInput): void {
  const { session } = attachment;
  switch (kind.case) {
    case 'data':
      return attachment.type(kind.value);
    case 'ack':
      return session.acknowledge(attachment, parseRequest(offset, kind.value));
    case 'resize':
      return session.resize(parseRequest(size, kind.value));
    case 'close':
      return session.close();
    case 'open':
      throw new ConnectError('`open` came twice', Code.InvalidArgument);
    case undefined:
      // An input of a newer hub; what is not known is passed over, as protobuf asks.
      return;
  }
}

function encode(event: AttachmentEvent): TerminalOutput {
  switch (event.kind) {
    case 'data':
      return create(TerminalOutputSchema, {
        kind: { case: 'data', value: { offset: BigInt(event.offset), data: event.data } },
      });
    case 'exit':
      return create(TerminalOutputSchema, {
        kind: { case: 'exit', value: { code: event.exit.code, signal: signalText(event.exit.signal) } },
      });
    case 'accepted':
      return create(TerminalOutputSchema, { kind: { case: 'accepted', value: { typed: BigInt(event.typed) } } });
    case 'ended':
      return create(TerminalOutputSchema, {
        kind: { case: 'refused', value: { reason: event.reason, code: event.code } },
      });
  }
}

function signalText(signal: number): string {
  return signal === 0 ? '' : (signalName(signal) ?? String(signal));
}
