import { Injectable } from '@nestjs/common';
import { UsageKind } from '@warren/proto/events/v1/events';
import type { Dialled } from '@warren/transport/connection';
import { Connections, type ConnectionLimits } from '@warren/transport/connections';
import { passOn } from '@warren/transport/header.lines';
import type { Carried } from '@warren/transport/pump';
import { relay } from '@warren/transport/relay';
import { ReplicaConnections } from '@warren/transport/replica.connections';
import type { Upgrade } from '@warren/transport/upgrade';
import { Agent, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ConnectTarget } from '../links/connect.ts';
import type { AgentLink } from '../links/link.ts';
import { Links } from '../links/links.ts';
import { OtherReplicas, PASSED, replicaDown } from '../links/other.replicas.ts';
import type { UsageMeter } from '../metering/usage.meter.ts';
import { sessionBytes } from '../telemetry/metrics.ts';
import { WebServices } from './web.services.ts';

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

/** Opens the connection of an upgrade through the device's link. */
class UpgradeAgent extends Agent {
  constructor(
    private readonly link: AgentLink,
    private readonly target: ConnectTarget,
    private readonly meter: UsageMeter,
    private readonly carried: Carried,
  ) {
    super({ keepAlive: false });
  }

  override createConnection(_options: unknown, done?: (error: Error | null, stream: Duplex) => void): undefined {
    this.link.connect(this.target).then(
      (stream) => {
        // A stream, unlike a socket, does not close by itself after its end.
        stream.once('end', () => setImmediate(() => stream.destroy()));
        stream.once('finish', () => setTimeout(() => stream.destroy(), HALF_CLOSED_MS).unref());
        countBytes(takingBuffers(stream), this.link, this.meter)(this.carried);
        done?.(null, stream);
      },
      (error: Error) => done?.(error, undefined as unknown as Duplex),
    );
    return undefined;
  }
}

/**
 * Converts strings to buffers before HTTP/2 sees them: given a string and a buffer in one write, as a request's head and body are,
 * Node (24.21) sends the string from memory that it has already freed.
 */
function takingBuffers(stream: Duplex): Duplex {
  const write = stream.write.bind(stream) as (chunk: unknown, done?: (error?: Error | null) => void) => boolean;
  stream.write = (chunk: unknown, ...rest: unknown[]) => {
    const [encoding] = rest as [BufferEncoding];
    const done = rest.find((one) => typeof one === 'function') as (() => void) | undefined;
    const named = typeof encoding === 'string' ? encoding : 'utf8';
    return write(typeof chunk === 'string' ? Buffer.from(chunk, named) : chunk, done);
  };
  // The base class calls these, which only sockets have.
  return Object.assign(stream, { ref: () => {}, unref: () => {} });
}

/**
 * Counts bytes by wrapping methods: a data listener would consume them.
 * @returns a function that sets the visit for which they count as well
 */
function countBytes(stream: Duplex, link: AgentLink, meter: UsageMeter): NonNullable<Dialled['serves']> {
  const use = meter.use(link.accountId, UsageKind.WEB);
  let visit: Carried | undefined;
  stream.once('close', () => use.end());
  const write = stream.write.bind(stream) as (chunk: Buffer, ...rest: unknown[]) => boolean;
  const push = stream.push.bind(stream);
  stream.write = (chunk: Buffer, ...rest: unknown[]) => {
    bytesIn.inc(chunk.length);
    use.toDevice(chunk.length);
    if (visit) visit.in += chunk.length;
    return write(chunk, ...rest);
  };
  stream.push = (chunk: Buffer | null, ...rest: [BufferEncoding?]) => {
    if (chunk) {
      bytesOut.inc(chunk.length);
      use.fromDevice(chunk.length);
      if (visit) visit.out += chunk.length;
    }
    return push(chunk, ...rest);
  };
  return (carried) => void (visit = carried);
}

/** A body in tiny chunks takes many times the memory of its bytes. */
function dialled(link: AgentLink, stream: Duplex, meter: UsageMeter): Dialled {
  const pieces = (count: number) => {
    if (link.pieces(count)) return;
    stream.pause();
    link.later(() => stream.resume());
  };
  return { stream, pieces, serves: countBytes(stream, link, meter) };
}

/** Methods to retry when a kept-alive connection turns out to be closed (RFC 9110, 9.2.2). */
const REPEATABLE = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'TRACE']);

/** HTTP connections to servers on devices, through their links, and closed with them. */
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

  /** For an upgrade: its further bytes are not HTTP. @param carried counts the bytes */
  upgrade(link: AgentLink, target: ConnectTarget, carried: Carried): Agent {
    return new UpgradeAgent(link, target, this.meter, carried);
  }
}

const ANSWER_MS = 75_000;
const MAX_IDLE = 64;
/** Shorter than a replica keeps an idle connection. */
const IDLE_MS = 4_000;

interface Elsewhere {
  deviceId: string;
  address: string;
}

/** Requests for a device that another replica holds go there, as they came. */
@Injectable()
export class WebPassing {
  private readonly connections = new ReplicaConnections({ open: Infinity, idle: MAX_IDLE, idleMs: IDLE_MS });

  constructor(
    private readonly pages: WebServices,
    private readonly links: Links,
    private readonly others: OtherReplicas,
  ) {}

  /**
   * @returns undefined at once when the request belongs here; else whether it was passed on
   * @throws Fault `unavailable` when the other replica does not answer
   */
  request(request: IncomingMessage, response: ServerResponse, slug: string): Promise<boolean> | undefined {
    const page = this.pages.peek(slug);
    if ((page && this.links.get(page.deviceId)) || request.headers[PASSED] !== undefined) return undefined;
    return this.passRequest(request, response, slug);
  }

  /** @returns whether the upgrade was passed on. @throws Fault `unavailable` when the other replica does not answer */
  async upgrade(upgrade: Upgrade, slug: string): Promise<boolean> {
    const { request } = upgrade;
    if (request.headers[PASSED] !== undefined) return false;
    const to = await this.elsewhere(slug);
    if (to === undefined) return false;
    const answer = await this.others.ask(upgrade, to.address, this.others.lines(request)).catch((error: unknown) => {
      this.others.forget(to.deviceId);
      throw error;
    });
    await this.others.pass('web', upgrade, answer);
    return true;
  }

  private async passRequest(request: IncomingMessage, response: ServerResponse, slug: string): Promise<boolean> {
    const to = await this.elsewhere(slug);
    if (to === undefined) return false;
    await relay(request, response, {
      connections: this.connections.of(to.address),
      path: request.url ?? '/',
      lines: this.others.lines(request),
      answerMs: ANSWER_MS,
      answerLines: (lines) => passOn(lines),
    }).catch(() => {
      this.others.forget(to.deviceId);
      return replicaDown();
    });
    return true;
  }

  /** Where the device of an address is held, if not here. */
  private async elsewhere(slug: string): Promise<Elsewhere | undefined> {
    const page = await this.pages.find(slug);
    if (!page || this.links.get(page.deviceId)) return undefined;
    // While the directory is away this replica says itself what it knows.
    const address = await this.others.holding(page.deviceId).catch(() => undefined);
    return address === undefined ? undefined : { deviceId: page.deviceId, address };
  }
}
