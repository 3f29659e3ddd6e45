import { until } from '@warren/infra/until';
import { Fault } from '@warren/platform/errors/fault';
import { frameState } from '@warren/platform/http/device.entry';
import { DevicePermission, Role, Status } from '@warren/proto/common/v1/common';
import { HttpHost, type DevicesService, type WebPermission } from '@warren/proto/devices/v1/devices';
import { IdentityService, type RedeemSocketTokenRequest } from '@warren/proto/identity/v1/identity';
import { TenancyService } from '@warren/proto/tenancy/v1/tenancy';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { v7 as uuidv7 } from 'uuid';
import { Links } from '../../src/links/links.ts';
import type { MeterClock } from '../../src/metering/usage.meter.ts';
import { HUB, type FakeAgent } from '../fake.agent.ts';
import { Neighbours, World } from '../world.ts';

interface Ticket {
  deviceId: string;
  userId: string;
  session: string;
  state: string;
  guest: GuestOfLink | undefined;
}

/** The link of a guest, as far as a test chooses it. */
export interface GuestOfLink {
  id: string;
  permission?: DevicePermission;
  port?: number;
}

/** A device with a web service, as the devices service knows it. */
export interface KnownPage {
  slug: string;
  deviceId: string;
  accountId: string;
  enabled: boolean;
  ip: string;
  port: number;
  host: HttpHost;
  permissions?: WebPermission[];
}

interface KnownUser {
  id: string;
  accountId: string;
  active: boolean;
  /** Explicit grants restrict the user, who has none. */
  lost?: boolean;
}

/** The other services, as far as web services ask them. */
export class WebNeighbours extends Neighbours {
  readonly pages = new Map<string, KnownPage>();
  readonly users = new Map<string, KnownUser>();
  readonly sessions = new Set<string>();
  readonly tickets = new Map<string, Ticket>();
  /** Whether accounts allow guest links. */
  guestLinks = true;
  /** What answers about pages wait for, after they were made; and how many were made. */
  held: Promise<void> | undefined;
  pagesAnswered = 0;

  constructor() {
    super();
    this.transport.serve(TenancyService, {
      resolveMember: async (_caller, { email }) => this.member(email),
    });
  }

  override handlersOf(service: typeof DevicesService | typeof IdentityService): object {
    const own =
      service === IdentityService
        ? {
            redeemSocketToken: async (_caller: unknown, request: RedeemSocketTokenRequest) =>
              this.redeemTicket(request),
            checkSession: async (_caller: unknown, { session }: { session: string }) => ({
              alive: this.sessions.has(session),
            }),
          }
        : { findWebPage: (_caller: unknown, { slug }: { slug: string }) => this.page(slug) };
    return { ...super.handlersOf(service), ...own };
  }

  protected override timeLeft(session: string): number {
    return this.sessions.has(session) ? 3_600_000 : 0;
  }

  protected override webEnabled(deviceId: string): boolean {
    return [...this.pages.values()].find((page) => page.deviceId === deviceId)?.enabled ?? false;
  }

  private async page(slug: string) {
    const page = this.pages.get(slug);
    if (!page) throw new Fault('not_found', `${slug}.`);
    const answer = { ...page };
    this.pagesAnswered++;
    await this.held;
    return { ...answer, name: 'bench-pi', hostname: 'bench', privateIp: '10.1.2.3' };
  }

  private member(email: string) {
    const user = this.users.get(email);
    if (!user) return {};
    const status = user.active ? Status.ACTIVE : Status.INACTIVE;
    const { id, accountId } = user;
    const { guestLinks } = this;
    const access = { accountStatus: Status.ACTIVE, explicitGrants: user.lost === true, guestLinks };
    return { user: { id, email, name: 'Ann', accountId, role: Role.MEMBER, status }, ...access };
  }

  private redeemTicket({ token, guests }: RedeemSocketTokenRequest) {
    const ticket = this.tickets.get(token);
    this.tickets.delete(token);
    if (!ticket || (ticket.guest && !guests))
      throw new Fault('permission_denied', 'The socket token is unknown or used.');
    const { deviceId, userId, session, state, guest } = ticket;
    const narrowed = guest && this.narrowed(guest, deviceId);
    const user = { userId, email: `${userId}@example.org`, name: 'Ann', role: Role.MEMBER, ...narrowed };
    return { user, deviceId, deviceAccountId: '', session, state, ...this.quota() };
  }

  /** What narrows the maker of a link to its guest, as identity says it. */
  private narrowed({ id, permission = DevicePermission.WEB, port }: GuestOfLink, deviceId: string) {
    const page = [...this.pages.values()].find((one) => one.deviceId === deviceId);
    const token = { id, name: 'Grace', permissions: ['devices.open', 'devices.read'], filter: `id=${deviceId}` };
    const web = page && { slug: page.slug, ip: page.ip, port: port ?? page.port };
    return { token, guest: { id, name: 'Grace', linkId: 'link', deviceId, permission, ...(web && { web }) } };
  }
}

/** What a raw connection got back. */
export interface Raw {
  status: number;
  head: string;
  body: string;
}

/** A device whose web server is the test's, and a person who may see it. */
export class WebDevice {
  readonly email: string;
  readonly session = randomBytes(16).toString('hex');
  cookie = '';
  /** Enters as a guest if set. */
  guest: GuestOfLink | undefined;

  constructor(
    private readonly world: World,
    readonly neighbours: WebNeighbours,
    readonly page: KnownPage,
    readonly userId: string,
    readonly agent: FakeAgent,
  ) {
    this.email = `${userId}@example.org`;
  }

  get host(): string {
    return `${this.page.slug}.devices.localhost:8080`;
  }

  get origin(): string {
    return `http://${this.host}`;
  }

  /** The same, asked for at another replica. */
  at(world: World): WebDevice {
    const device = new WebDevice(world, this.neighbours, this.page, this.userId, this.agent);
    return Object.assign(device, { session: this.session, cookie: this.cookie, guest: this.guest });
  }

  /** @param state as the hub makes it: of a visit's nonce, or of a frame's secret */
  ticket(state: string): string {
    const token = randomBytes(24).toString('base64url');
    const { deviceId } = this.page;
    const { userId, session, guest } = this;
    this.neighbours.tickets.set(token, { deviceId, userId, session, state, guest });
    return token;
  }

  /** Enters as the console's frame does. */
  async enter(...lines: string[]): Promise<this> {
    const secret = randomBytes(32).toString('base64url');
    const { head } = await this.post(this.ticket(frameState(secret)), secret, ...lines);
    this.cookie = /set-cookie: ((?:__Host-)?warren-web=[\w-]+)/i.exec(head)?.[1] ?? '';
    return this;
  }

  /** Posts a ticket as a frame does; `lines` are further header lines. */
  post(ticket: string, secret: string, ...lines: string[]): Promise<Raw> {
    const form = new URLSearchParams({ ticket, secret }).toString();
    const head = [`Host: ${this.host}`, 'Sec-Fetch-Dest: iframe', `Content-Length: ${form.length}`, ...lines];
    return this.raw(`POST /.warren/enter HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n${form}`);
  }

  /** One request with the grant's cookie; `lines` are further header lines. */
  get(path = '/', ...lines: string[]): Promise<Raw> {
    return this.send('GET', path, '', ...lines);
  }

  send(method: string, path: string, body: string, ...lines: string[]): Promise<Raw> {
    const head = [`${method} ${path} HTTP/1.1`, `Host: ${this.host}`, `Cookie: ${this.cookie}`, ...lines];
    return this.raw(`${head.join('\r\n')}\r\nConnection: close\r\n\r\n${body}`);
  }

  /** Exactly these bytes; what comes back until the connection ends, or one whole answer. */
  async raw(text: string): Promise<Raw> {
    const socket = await this.open();
    let got = '';
    socket.on('data', (data: Buffer) => (got += data.toString('latin1')));
    socket.write(text);
    await until(() => socket.destroyed || socket.readableEnded || isWhole(got));
    socket.destroy();
    return parse(got);
  }

  async open(): Promise<Socket> {
    const socket = connect(Number(new URL(this.world.url).port), '127.0.0.1');
    socket.on('error', () => {});
    await once(socket, 'connect');
    return socket;
  }

  changed(): Promise<void> {
    const { deviceId } = this.page;
    return this.world.publish({ case: 'deviceChanged', value: { deviceId, previousAccountId: '' } } as never);
  }
}

export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

export function parse(text: string): Raw {
  const end = text.indexOf('\r\n\r\n');
  const head = end < 0 ? text : text.slice(0, end);
  return { status: Number(head.split(' ')[1]), head, body: end < 0 ? '' : text.slice(end + 4) };
}

function isWhole(text: string): boolean {
  const { head, body } = parse(text);
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  return text.includes('\r\n\r\n') && length !== undefined && body.length >= Number(length);
}

export const HUB_URL = HUB;

/** A tunnels process with devices that have web services. */
export class WebWorld {
  readonly neighbours = new WebNeighbours();
  private constructor(readonly world: World) {}

  static async start(clock?: MeterClock): Promise<WebWorld> {
    const neighbours = new WebNeighbours();
    const { TEST_REDIS_URL: redis = '', TEST_NATS_URL: nats = '' } = process.env;
    const made = new WebWorld(await World.start({ redis, nats, neighbours, ...(clock && { clock }) }));
    return Object.assign(made, { neighbours });
  }

  /** A device that answers by `server`; without one nothing listens there. */
  async device(server?: Server, host = HttpHost.LOCAL): Promise<WebDevice> {
    const known = this.neighbours.device();
    const port = server ? await listening(server) : 9;
    const agent = await this.world.agent(known, { onConnect: (authority, stream) => toServer(authority, stream) });
    await until(() => this.world.app.get(Links).get(known.id) !== undefined);
    const slug = `pi-${randomBytes(4).toString('hex')}`;
    const page = { slug, deviceId: known.id, accountId: known.accountId, enabled: true, ip: '127.0.0.1', port, host };
    this.neighbours.pages.set(slug, page);
    const user = { id: uuidv7(), accountId: known.accountId, active: true };
    const device = new WebDevice(this.world, this.neighbours, page, user.id, agent);
    this.neighbours.users.set(device.email, user);
    this.neighbours.sessions.add(device.session);
    return device;
  }

  stop(): Promise<void> {
    return this.world.stop();
  }
}

async function listening(server: Server): Promise<number> {
  if (!server.listening) {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  }
  return (server.address() as AddressInfo).port;
}

type Stream = Parameters<NonNullable<Parameters<World['agent']>[1]>['onConnect'] & object>[1];

function toServer(authority: string, stream: Stream): void {
  const socket = connect(Number(authority.split(':')[1]), '127.0.0.1');
  stream.on('error', () => socket.destroy());
  socket.once('error', () => {
    if (!stream.headersSent && !stream.destroyed) stream.respond({ ':status': 502 }, { endStream: true });
    else stream.destroy();
  });
  socket.once('connect', () => {
    stream.respond({ ':status': 200 });
    socket.pipe(stream);
    stream.pipe(socket);
  });
  stream.once('close', () => socket.destroy());
}

export async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
