import { Agent, type AgentOptions, type ClientRequest } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ConnectTarget } from '../links/connect.ts';
import type { AgentLink } from '../links/link.ts';
import { sessionBytes } from '../telemetry/metrics.ts';

/** Connections to one server of a device at the same time; requests beyond wait for a free one. */
const MAX_CONNECTIONS = 64;
/** As many: an idle one that is dropped is made anew by the next request, at a round trip and a reset stream each. */
const MAX_IDLE = MAX_CONNECTIONS;
/** Shorter than the 5 s after which servers of Node, and later others, close an idle connection. */
const IDLE_MS = 4_000;
const HALF_CLOSED_MS = 5_000;

const bytesIn = sessionBytes.labels({ kind: 'web', direction: 'in' });
const bytesOut = sessionBytes.labels({ kind: 'web', direction: 'out' });

/** HTTP connections to a server on a device, made through its link. */
export class DeviceAgent extends Agent {
  private readonly timers = new WeakMap<Duplex, NodeJS.Timeout>();

  constructor(
    private readonly link: AgentLink,
    private readonly target: ConnectTarget,
    keepAlive: boolean,
  ) {
    const options: AgentOptions = { keepAlive, scheduling: 'lifo' };
    super({ ...options, maxSockets: keepAlive ? MAX_CONNECTIONS : Infinity, maxFreeSockets: MAX_IDLE });
  }

  override createConnection(_options: unknown, done?: (error: Error | null, stream: Duplex) => void): undefined {
    this.link.connect(this.target).then(
      (stream) => {
        // A stream is no socket: it does not close by itself when the other side has ended, nor when both have.
        stream.once('end', () => setImmediate(() => stream.destroy()));
        stream.once('finish', () => setTimeout(() => stream.destroy(), HALF_CLOSED_MS).unref());
        done?.(null, counted(takingBuffers(stream)));
      },
      (error: Error) => done?.(error, undefined as unknown as Duplex),
    );
    return undefined;
  }

  override keepSocketAlive(stream: Duplex): boolean {
    this.timers.set(stream, setTimeout(() => stream.destroy(), IDLE_MS).unref());
    return true;
  }

  override reuseSocket(stream: Duplex, request: ClientRequest): void {
    clearTimeout(this.timers.get(stream));
    super.reuseSocket(stream, request);
  }
}

/**
 * Has texts made into bytes before HTTP/2 sees them: when it is given a text and bytes in one go, as the head and the body of a
 * request are, Node (24.21) sends the text from memory that it has already given back.
 */
function takingBuffers(stream: Duplex): Duplex {
  const write = stream.write.bind(stream) as (chunk: unknown, done?: (error?: Error | null) => void) => boolean;
  stream.write = (chunk: unknown, ...rest: unknown[]) => {
    const [encoding] = rest as [BufferEncoding];
    const done = rest.find((one) => typeof one === 'function') as (() => void) | undefined;
    const named = typeof encoding === 'string' ? encoding : 'utf8';
    return write(typeof chunk === 'string' ? Buffer.from(chunk, named) : chunk, done);
  };
  // Only sockets can keep a process running; the base class asks them to.
  return Object.assign(stream, { ref: () => {}, unref: () => {} });
}

/** Counts what passes, where it passes anyway: a listener for data would take it from the reader. */
function counted(stream: Duplex): Duplex {
  const write = stream.write.bind(stream) as (chunk: Buffer, ...rest: unknown[]) => boolean;
  const push = stream.push.bind(stream);
  stream.write = (chunk: Buffer, ...rest: unknown[]) => {
    bytesIn.inc(chunk.length);
    return write(chunk, ...rest);
  };
  stream.push = (chunk: Buffer | null, ...rest: [BufferEncoding?]) => {
    if (chunk) bytesOut.inc(chunk.length);
    return push(chunk, ...rest);
  };
  return stream;
}

/** Methods that may be sent again when a kept connection turns out to be closed (RFC 9110, 9.2.2). */
const REPEATABLE = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'TRACE']);

/** The agents of each link, by the server that they lead to; gone with the link. */
export class DeviceAgents {
  private readonly kept = new WeakMap<AgentLink, Map<string, DeviceAgent>>();

  /** For a request: what must not be sent twice has a connection of its own. */
  of(link: AgentLink, target: ConnectTarget, method: string, hasBody: boolean): DeviceAgent {
    if (hasBody || !REPEATABLE.has(method)) return this.single(link, target);
    let agents = this.kept.get(link);
    if (!agents) {
      agents = new Map();
      this.kept.set(link, agents);
      link.gone.addEventListener('abort', () => this.forget(link), { once: true });
    }
    const name = `${target.host} ${target.port}`;
    let agent = agents.get(name);
    if (!agent) agents.set(name, (agent = new DeviceAgent(link, target, true)));
    return agent;
  }

  single(link: AgentLink, target: ConnectTarget): DeviceAgent {
    return new DeviceAgent(link, target, false);
  }

  private forget(link: AgentLink): void {
    for (const agent of this.kept.get(link)?.values() ?? []) agent.destroy();
    this.kept.delete(link);
  }
}
