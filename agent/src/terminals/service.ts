import { Code, ConnectError } from '@connectrpc/connect';
import {
  AgentService,
  type TerminalInput,
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
  offset,
  open,
  openedMessage,
  refusedMessage,
  size,
} from './messages.ts';
import type { TerminalRegistry } from './registry.ts';

const OPEN_WITHIN_MS = 10_000;
const PATH = `/${AgentService.typeName}/${AgentService.method.terminal.name}`;

/** Serves a request for the `Terminal` call by a {@link TerminalCall}; returns false for any other request. */
export function serveTerminal(
  registry: TerminalRegistry,
  log: Logger,
  request: Http2ServerRequest,
  response: Http2ServerResponse,
): boolean {
  if (request.url !== PATH || !isStreamingCall(request.headers)) return false;
  new TerminalCall(registry, response.stream, log);
  return true;
}

/**
 * The `Terminal` call: one attachment to one terminal. Input is handled on arrival, independently of the output, so a keystroke never
 * queues behind the program's output.
 */
class TerminalCall implements Outlet {
  private readonly registry: TerminalRegistry;
  private readonly log: Logger;
  private readonly call: ServedCall<typeof TerminalInputSchema, typeof TerminalOutputSchema>;
  private readonly late: NodeJS.Timeout;
  private attachment: TerminalAttachment | undefined;
  private flow: Flow | undefined;

  constructor(registry: TerminalRegistry, stream: ServerHttp2Stream, log: Logger) {
    this.registry = registry;
    this.log = log;
    this.late = setTimeout(
      () => this.call.end(new ConnectError('expected `open` as the first input', Code.InvalidArgument)),
      OPEN_WITHIN_MS,
    );
    this.late.unref();
    this.call = new ServedCall(stream, AgentService.method.terminal, {
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

  private begin(input: TerminalInput): void {
    clearTimeout(this.late);
    let attachment: TerminalAttachment;
    try {
      attachment = attach(this.registry, input);
    } catch (error) {
      if (!(error instanceof TerminalRefused)) throw error;
      this.call.send(refusedMessage(error.message, error.code));
      return this.call.end();
    }
    this.attachment = attachment;
    this.call.send(openedMessage(attachment));
    this.flow = new Flow(attachment, this);
    this.flow.pump();
  }

  private act(attachment: TerminalAttachment, input: TerminalInput): void {
    // Input in flight when another screen took over is dropped: its sender learns how far it got.
    if (attachment.ended) return;
    try {
      act(attachment, input);
    } catch (error) {
      return attachment.end(this.reasonOf(error), error instanceof TerminalRefused ? error.code : undefined);
    }
    if (attachment.terminal.welcomesInput) return;
    this.call.pause();
    void attachment.terminal.inputRoom().then(() => this.call.resume());
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

function attach(registry: TerminalRegistry, { kind }: TerminalInput): TerminalAttachment {
  if (kind.case !== 'open')
    throw new ConnectError(`expected \`open\` as the first input, not \`${kind.case}\``, Code.InvalidArgument);
  const request = parseRequest(open, kind.value);
  const { session, userId, size: wanted, writer } = request;
  if (session !== '') return registry.attach(session, userId, request.offset, wanted, writer);
  return registry.create({ ...request, term: request.term || 'xterm-256color' });
}

function act(attachment: TerminalAttachment, { kind }: TerminalInput): void {
  const { terminal } = attachment;
  switch (kind.case) {
    case 'data':
      return attachment.type(kind.value);
    case 'ack':
      return terminal.acknowledge(attachment, parseRequest(offset, kind.value));
    case 'resize':
      return terminal.resize(parseRequest(size, kind.value));
    case 'close':
      return terminal.close();
    case 'open':
      throw new ConnectError('`open` came twice', Code.InvalidArgument);
    case undefined:
      // An input of a newer hub; unknown ones are ignored, as protobuf requires.
      return;
  }
}
