import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket, type PeerCertificate } from 'node:tls';
import { HttpsProxyAgent } from 'https-proxy-agent';
import type { Step } from './plain.ts';

/** The steps of an attempt to reach the hub; the hub's response then covers clock and key. */
export type DialStep = Exclude<Step, 'clock' | 'key'>;

/** One attempt to reach the hub: its current step, the duration of each step, and its details. */
export class Attempt {
  step: DialStep = 'name';
  /** Milliseconds of each finished step. */
  readonly took = new Map<DialStep, number>();
  /** Addresses that the name resolves to. */
  readonly addresses: string[] = [];
  /** Milliseconds until each address of the connection was tried. */
  routed = 0;
  /** Both ends of the connection to the hub, or to the proxy. */
  localAddress: string | undefined;
  remoteAddress: string | undefined;
  port: number | undefined;
  /** The TLS connection with the hub, once it is established. */
  tls: { protocol: string | null; certificate: PeerCertificate } | undefined;
  /** The proxy's refusal. */
  refusal: number | undefined;
  private readonly onStep: (step: DialStep) => void;
  private since = performance.now();

  /** @param onStep called when a step begins */
  constructor(onStep: (step: DialStep) => void = () => {}) {
    this.onStep = onStep;
    onStep(this.step);
  }

  /** Milliseconds since the current step began. */
  get elapsed(): number {
    return performance.now() - this.since;
  }

  /** The hub, or a proxy in its place, has responded: the last step is done. */
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
      if (socket) this.connecting(socket, 'proxy');
      else this.begin('proxy');
    });
    // An event of the proxy's agent that is missing in Node's types.
    proxied.once('proxyConnect', ({ statusCode = 0 }) => {
      if (statusCode === 200) this.begin(request.protocol === 'https:' ? 'TLS' : 'upgrade');
      else this.refusal = statusCode;
    });
    request.once('socket', (socket) => {
      if (!proxy) this.connecting(socket, socket instanceof TLSSocket ? 'TLS' : 'upgrade');
      if (!(socket instanceof TLSSocket)) return;
      socket.once('secureConnect', () => {
        this.tls = { protocol: socket.getProtocol(), certificate: socket.getPeerCertificate() };
        this.begin('upgrade');
      });
    });
  }

  private connecting(socket: Socket, next: DialStep): void {
    socket.on('lookup', (error: Error | null, address: string) => {
      if (error) return;
      this.addresses.push(address);
      this.begin('connection');
    });
    // An address needs no name server, and Node emits no lookup for it.
    socket.once('connectionAttempt', () => {
      this.begin('connection');
      this.routed = this.elapsed;
    });
    socket.once('connect', () => {
      this.localAddress = socket.localAddress;
      this.remoteAddress = socket.remoteAddress;
      this.port = socket.remotePort;
      this.begin(next);
    });
  }

  private begin(step: DialStep): void {
    if (step === this.step) return;
    this.took.set(this.step, this.elapsed);
    this.step = step;
    this.since = performance.now();
    this.onStep(step);
  }
}

/** Observers of the socket that a proxy's agent opens for a request. */
const followers = new WeakMap<object, (socket: Socket | undefined) => void>();

/** A proxy with an observable connection: its agent exposes a socket only after the proxy has answered. */
export class FollowedProxy extends HttpsProxyAgent<string> {
  override connect(...args: Parameters<HttpsProxyAgent<string>['connect']>) {
    const follower = followers.get(args[0]);
    // Node announces no sockets that start with TLS.
    if (this.proxy.protocol === 'https:') follower?.(undefined);
    const seen = (message: unknown) => follower?.((message as { socket: Socket }).socket);
    // Node's diagnostics channel, subscribed only while the agent makes its socket, before its first await.
    subscribe('net.client.socket', seen);
    try {
      return super.connect(...args);
    } finally {
      unsubscribe('net.client.socket', seen);
    }
  }
}
