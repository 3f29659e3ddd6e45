import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket, type PeerCertificate } from 'node:tls';
import { HttpsProxyAgent } from 'https-proxy-agent';
import type { Step } from './plain.ts';

/** What an attempt to reach the hub waits for; the hub's answer then says how clock and key are. */
export type DialStep = Exclude<Step, 'clock' | 'key'>;

/** One attempt to reach the hub: the step that it is at, how long each step took, and what it met. */
export class Attempt {
  step: DialStep = 'name';
  /** Milliseconds that each finished step took. */
  readonly took = new Map<DialStep, number>();
  /** Addresses that the name has. */
  readonly addresses: string[] = [];
  /** Milliseconds until an address was tried, of those of the connection. */
  routed = 0;
  /** Both ends of the connection to the hub, or to the proxy. */
  localAddress: string | undefined;
  remoteAddress: string | undefined;
  port: number | undefined;
  /** What the TLS connection with the hub is, once it stands. */
  tls: { protocol: string | null; certificate: PeerCertificate } | undefined;
  /** What the proxy answered, when it refused. */
  refusal: number | undefined;
  readonly #onStep: (step: DialStep) => void;
  #since = performance.now();

  /** @param onStep called when a step begins */
  constructor(onStep: (step: DialStep) => void = () => {}) {
    this.#onStep = onStep;
    onStep(this.step);
  }

  /** Milliseconds since the current step began. */
  get elapsed(): number {
    return performance.now() - this.#since;
  }

  /** The hub, or what stands for it, has answered: the last step is done. */
  answered(): void {
    this.took.set(this.step, this.elapsed);
  }

  /** Follows a request to the hub, straight or through a proxy of {@link FollowedProxy}. */
  follow(request: ClientRequest): void {
    const proxied = request as unknown as {
      once(name: 'proxyConnect', listener: (answer: IncomingMessage) => void): void;
    };
    let proxy = false;
    followers.set(request, (socket) => {
      proxy = true;
      if (socket) this.#connecting(socket, 'proxy');
      else this.#begin('proxy');
    });
    // An event of the proxy's agent, which Node's types don't know.
    proxied.once('proxyConnect', ({ statusCode = 0 }) => {
      if (statusCode === 200) this.#begin(request.protocol === 'https:' ? 'TLS' : 'upgrade');
      else this.refusal = statusCode;
    });
    request.once('socket', (socket) => {
      if (!proxy) this.#connecting(socket, socket instanceof TLSSocket ? 'TLS' : 'upgrade');
      if (!(socket instanceof TLSSocket)) return;
      socket.once('secureConnect', () => {
        this.tls = { protocol: socket.getProtocol(), certificate: socket.getPeerCertificate() };
        this.#begin('upgrade');
      });
    });
  }

  #connecting(socket: Socket, next: DialStep): void {
    socket.on('lookup', (error: Error | null, address: string) => {
      if (error) return;
      this.addresses.push(address);
      this.#begin('connection');
    });
    // An address needs no name server, and Node tells of none.
    socket.once('connectionAttempt', () => {
      this.#begin('connection');
      this.routed = this.elapsed;
    });
    socket.once('connect', () => {
      this.localAddress = socket.localAddress;
      this.remoteAddress = socket.remoteAddress;
      this.port = socket.remotePort;
      this.#begin(next);
    });
  }

  #begin(step: DialStep): void {
    if (step === this.step) return;
    this.took.set(this.step, this.elapsed);
    this.step = step;
    this.#since = performance.now();
    this.#onStep(step);
  }
}

/** Who wants to see the socket that a proxy's agent opens for a request. */
const followers = new WeakMap<object, (socket: Socket | undefined) => void>();

/** A proxy whose connection can be followed: its agent shows a socket only when the proxy has answered. */
export class FollowedProxy extends HttpsProxyAgent<string> {
  override connect(...args: Parameters<HttpsProxyAgent<string>['connect']>) {
    const follower = followers.get(args[0]);
    // Node announces no sockets that begin with TLS.
    if (this.proxy.protocol === 'https:') follower?.(undefined);
    const seen = (message: unknown) => follower?.((message as { socket: Socket }).socket);
    // Node's own channel, heard only while the agent makes its socket, before it first waits.
    subscribe('net.client.socket', seen);
    try {
      return super.connect(...args);
    } finally {
      unsubscribe('net.client.socket', seen);
    }
  }
}
