import { until } from '@warren/infra/until';
import { frameState } from '@warren/platform/http/device.entry';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { FakeAgent } from '../fake.agent.ts';
import type { World } from '../world.ts';
import type { GuestOfLink, KnownPage, WebNeighbours } from './web.neighbours.ts';

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
