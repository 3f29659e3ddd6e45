import { Code, ConnectError } from '@connectrpc/connect';
import type { DescMessage, DescMethodBiDiStreaming, MessageShape } from '@bufbuild/protobuf';
import {
  AgentService,
  TerminalSizing,
  type FollowInputSchema,
  type TerminalInputSchema,
  type TerminalOutputSchema,
} from '@warren/proto/agent/v1/agent';
import type { Http2ServerRequest, Http2ServerResponse, ServerHttp2Stream } from 'node:http2';
import type { Logger } from 'pino';
import { TerminalRefused } from '../errors.ts';
import { isStreamingCall, ServedCall } from '../link/streaming.ts';
import { parseRequest } from '../request.ts';
import { shortLived } from '../system/short.lived.ts';
import type { AttachmentEvent } from './attachment.ts';
import type { TerminalAttachment } from './terminal.ts';
import { Flow, type Outlet } from './flow.ts';
import {
  acceptedMessage,
  dataHead,
  exitMessage,
  follow,
  offset,
  open,
  openedMessage,
  refusedMessage,
  size,
  sizeMessage,
  snapshotMessage,
} from './messages.ts';
import type { TerminalRegistry } from './registry.ts';

const OPEN_WITHIN_MS = 10_000;
const { terminal: TERMINAL, follow: FOLLOW } = AgentService.method;
const PATH = `/${AgentService.typeName}/`;

/** Serves a request for the `Terminal` or the `Follow` call; returns false for any other request. */
export function serveTerminal(
  registry: TerminalRegistry,
  log: Logger,
  request: Http2ServerRequest,
  response: Http2ServerResponse,
): boolean {
  if (!request.url.startsWith(PATH) || !isStreamingCall(request.headers)) return false;
  const name = request.url.slice(PATH.length);
  if (name === TERMINAL.name) new TerminalCall(registry, response.stream, log, TERMINAL, WRITING);
  else if (name === FOLLOW.name) new TerminalCall(registry, response.stream, log, FOLLOW, READING);
  else return false;
  return true;
}

/** What a call does with its inputs. */
interface Use<I extends DescMessage> {
  /** @throws TerminalRefused, ConnectError for another input than `open` */
  attach(registry: TerminalRegistry, input: MessageShape<I>): TerminalAttachment;
  /** @throws TerminalRefused, ConnectError for an invalid input */
  act(attachment: TerminalAttachment, input: MessageShape<I>): void;
}

/**
 * One attachment to one terminal. Input is handled on arrival, independently of the output, so a keystroke never
 * queues behind the program's output.
 */
class TerminalCall<I extends DescMessage> implements Outlet {
  private readonly registry: TerminalRegistry;
  private readonly log: Logger;
  private readonly use: Use<I>;
  private readonly call: ServedCall<I, typeof TerminalOutputSchema>;
  private readonly late: NodeJS.Timeout;
  private attachment: TerminalAttachment | undefined;
  private flow: Flow | undefined;

  constructor(
    registry: TerminalRegistry,
    stream: ServerHttp2Stream,
    log: Logger,
    method: DescMethodBiDiStreaming<I, typeof TerminalOutputSchema>,
    use: Use<I>,
  ) {
    this.registry = registry;
    this.log = log;
    this.use = use;
    this.late = setTimeout(
      () => this.call.end(new ConnectError('expected `open` as the first input', Code.InvalidArgument)),
      OPEN_WITHIN_MS,
    );
    this.late.unref();
    this.call = new ServedCall(stream, method, {
      message: (input) => (this.attachment ? this.act(this.attachment, input) : this.begin(input)),
      drained: () => this.flow?.pump(),
      left: () => this.leave(),
    });
  }

  get ready(): boolean {
    return this.call.ready;
  }

  take(event: AttachmentEvent): void {
    switch (event.kind) {
      case 'data':
        shortLived(event.data.length);
        return this.call.sendEncoded(dataHead(event.offset, event.data.length), event.data);
      case 'snapshot':
        return this.call.send(snapshotMessage(event.snapshot));
      case 'size':
        return this.call.send(sizeMessage(event.size));
      case 'exit':
        return this.call.send(exitMessage(event.exit));
      case 'accepted':
        return this.call.send(acceptedMessage(event.typed));
      case 'ended':
        return this.call.send(refusedMessage(event.reason, event.code));
    }
  }

  finish(): void {
    this.call.end();
  }

  private begin(input: MessageShape<I>): void {
    clearTimeout(this.late);
    let attachment: TerminalAttachment;
    try {
      attachment = this.use.attach(this.registry, input);
    } catch (error) {
      if (!(error instanceof TerminalRefused)) throw error;
      this.call.send(refusedMessage(error.message, error.code));
      return this.call.end();
    }
    this.attachment = attachment;
    this.call.send(openedMessage(attachment));
    this.flow = new Flow(attachment, this);
    attachment.wake();
  }

  private act(attachment: TerminalAttachment, input: MessageShape<I>): void {
    // Input in flight when another screen took over is dropped: its sender learns how far it got.
    if (attachment.ended) return;
    try {
      this.use.act(attachment, input);
    } catch (error) {
      return attachment.end(this.reasonOf(error), error instanceof TerminalRefused ? error.code : undefined);
    }
    if (attachment.terminal.room.isLeft) return;
    this.call.pause();
    void attachment.terminal.room.wait().then(() => this.call.resume());
  }

  /** The browser gets the reason of its mistake; a fault of the agent goes to its log. */
  private reasonOf(error: unknown): string {
    if (error instanceof TerminalRefused) return error.message;
    if (error instanceof ConnectError && error.code === Code.InvalidArgument) return error.rawMessage;
    this.log.error({ err: error }, 'terminal input failed');
    return 'the agent failed; its log says why';
  }

  /** The browser is gone, and the terminal waits for it. */
  private leave(): void {
    clearTimeout(this.late);
    this.attachment?.end();
  }
}

const WRITING: Use<typeof TerminalInputSchema> = {
  attach(registry, { kind }) {
    if (kind.case !== 'open') throw notOpen(kind.case);
    const { session, term, join, ...request } = parseRequest(open, kind.value);
    const role = join ? 'writer' : 'only';
    if (session !== '') return registry.attach(session, { ...request, role });
    return registry.create({ ...request, role, term: term || 'xterm-256color' });
  },
  act(attachment, { kind }) {
    const { terminal } = attachment;
    switch (kind.case) {
      case 'data':
        return attachment.type(kind.value);
      case 'ack':
        return terminal.acknowledge(attachment, parseRequest(offset, kind.value));
      case 'resize':
        return terminal.resize(attachment, parseRequest(size, kind.value));
      case 'sizing':
        return terminal.sizeBy(attachment, kind.value === TerminalSizing.MINE);
      case 'close':
        return terminal.close();
      case 'open':
        throw openTwice();
      case undefined:
        // An input of a newer hub; unknown ones are ignored, as protobuf requires.
        return;
    }
  },
};

const READING: Use<typeof FollowInputSchema> = {
  attach(registry, { kind }) {
    if (kind.case !== 'open') throw notOpen(kind.case);
    const { session, record, ...request } = parseRequest(follow, kind.value);
    return registry.attach(session, { ...request, role: record ? 'recorder' : 'reader' });
  },
  act(attachment, { kind }) {
    if (kind.case === 'open') throw openTwice();
    if (kind.case === 'ack') attachment.terminal.acknowledge(attachment, parseRequest(offset, kind.value));
    if (kind.case === 'stored') attachment.terminal.store(attachment, parseRequest(offset, kind.value));
  },
};

const notOpen = (kind: string | undefined) =>
  new ConnectError(`expected \`open\` as the first input, not \`${kind}\``, Code.InvalidArgument);
const openTwice = () => new ConnectError('`open` came twice', Code.InvalidArgument);
