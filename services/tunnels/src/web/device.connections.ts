import type { Dialled } from '@warren/transport/connection';
import { Connections, type ConnectionLimits } from '@warren/transport/connections';
import { Agent } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ConnectTarget } from '../links/connect.ts';
import type { AgentLink } from '../links/link.ts';
import { UsageKind } from '@warren/proto/events/v1/events';
import type { UsageMeter } from '../metering/usage.meter.ts';
import { sessionBytes } from '../telemetry/metrics.ts';

/** Limits per server of a device. Reopening a dropped idle connection costs a round trip and a reset stream. */
const LIMITS: ConnectionLimits = {
  open: 64,
  idle: 64,
  /** Shorter than the 5 s after which servers of Node, and later others, close an idle connection. */
  idleMs: 4_000,
};
const HALF_CLOSED_MS = 5_000;

const bytesIn = sessionBytes.labels({ kind: 'web', direction: 'in' });
const bytesOut = sessionBytes.labels({ kind: 'web', direction: 'out' });

/** A connection for an upgrade, made through the device's link. */
class UpgradeAgent extends Agent {
  constructor(
    private readonly link: AgentLink,
    private readonly target: ConnectTarget,
    private readonly meter: UsageMeter,
  ) {
    super({ keepAlive: false });
  }

  override createConnection(_options: unknown, done?: (error: Error | null, stream: Duplex) => void): undefined {
    this.link.connect(this.target).then(
      (stream) => {
        // A stream is no socket: it does not close by itself when the other side has ended, nor when both have.
        stream.once('end', () => setImmediate(() => stream.destroy()));
        stream.once('finish', () => setTimeout(() => stream.destroy(), HALF_CLOSED_MS).unref());
        done?.(null, counted(takingBuffers(stream), this.link, this.meter));
      },
      (error: Error) => done?.(error, undefined as unknown as Duplex),
    );
    return undefined;
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
function counted(stream: Duplex, link: AgentLink, meter: UsageMeter): Duplex {
  const use = meter.use(link.accountId, UsageKind.WEB);
  stream.once('close', () => use.end());
  const write = stream.write.bind(stream) as (chunk: Buffer, ...rest: unknown[]) => boolean;
  const push = stream.push.bind(stream);
  stream.write = (chunk: Buffer, ...rest: unknown[]) => {
    bytesIn.inc(chunk.length);
    use.toDevice(chunk.length);
    return write(chunk, ...rest);
  };
  stream.push = (chunk: Buffer | null, ...rest: [BufferEncoding?]) => {
    if (chunk) {
      bytesOut.inc(chunk.length);
      use.fromDevice(chunk.length);
    }
    return push(chunk, ...rest);
  };
  return stream;
}

/** A body in chunks of next to nothing takes many times what its bytes do. */
function dialled(link: AgentLink, stream: Duplex, meter: UsageMeter): Dialled {
  const pieces = (count: number) => {
    if (link.pieces(count)) return;
    stream.pause();
    link.later(() => stream.resume());
  };
  return { stream: counted(stream, link, meter), pieces };
}

/** Methods that may be sent again when a kept connection turns out to be closed (RFC 9110, 9.2.2). */
const REPEATABLE = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'TRACE']);

/** HTTP connections to servers on devices, made through their links; gone with these. */
export class DeviceConnections {
  private readonly kept = new WeakMap<AgentLink, Map<string, Connections>>();

  constructor(private readonly meter: UsageMeter) {}

  /** Picks the connections of a request: one that must not be sent twice gets a new connection. */
  of(link: AgentLink, target: ConnectTarget, method: string, hasBody: boolean): Connections {
    const dial = () => link.connect(target).then((stream) => dialled(link, stream, this.meter));
    if (hasBody || !REPEATABLE.has(method)) return Connections.single(dial);
    let servers = this.kept.get(link);
    if (!servers) this.kept.set(link, (servers = new Map()));
    const name = `${target.host} ${target.port}`;
    let server = servers.get(name);
    if (!server) servers.set(name, (server = new Connections(dial, LIMITS)));
    return server;
  }

  /** For an upgrade: what follows on it is not HTTP. */
  upgrade(link: AgentLink, target: ConnectTarget): Agent {
    return new UpgradeAgent(link, target, this.meter);
  }
}
