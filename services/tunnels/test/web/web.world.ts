import { until } from '@warren/infra/until';
import { HttpHost } from '@warren/proto/devices/v1/devices';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { v7 as uuidv7 } from 'uuid';
import { Links } from '../../src/links/links.ts';
import type { MeterClock } from '../../src/metering/usage.meter.ts';
import { World } from '../world.ts';
import { WebDevice } from './web.device.ts';
import { WebNeighbours } from './web.neighbours.ts';

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
