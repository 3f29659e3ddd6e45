import { requireUser, type Caller } from '@warren/platform/rpc/caller';
import { rightsOn } from '@warren/platform/policy/device.access';
import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import { addRedisUser } from '@warren/infra/redis';
import { BROKER, deviceKey, replicaKey } from '@warren/platform/broker/keys';
import { redisRules } from '@warren/platform/rights/redis.rights';
import { Redis } from 'ioredis';
import { loadConfig } from '@warren/platform/config/load';
import { Fault } from '@warren/platform/errors/fault';
import { LocalTransport } from '@warren/platform/rpc/local.transport';
import { NatsTransport } from '@warren/platform/rpc/nats.transport';
import type { RpcHandlers } from '@warren/platform/rpc/types';
import { Status, type Role } from '@warren/proto/common/v1/common';
import { DeviceRightSchema, DeviceSchema } from '@warren/proto/devices/v1/devices';
import {
  IdentityService,
  type CreateSocketTokenRequest,
  type GetSessionRequest,
} from '@warren/proto/identity/v1/identity';
import { TenancyService, type ResolveMemberResponse } from '@warren/proto/tenancy/v1/tenancy';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { appModule } from '../src/app.module.ts';
import { gatewayConfig } from '../src/config.ts';
import { setUpHttp } from '../src/set-up.ts';

export const HUB = 'http://hub.test';
export const ACCOUNT = '01997b5c-0000-7000-8000-00000000000a';
export const OTHER_ACCOUNT = '01997b5c-0000-7000-8000-00000000000b';
export const DEVICE = '01997b5c-0000-7000-8000-0000000000d1';

/** A person that a test signs in as: the cookie, and what tenancy says of the e-mail. */
export interface Person {
  cookie: string;
  member: Partial<Omit<ResolveMemberResponse, '$typeName' | 'user'>> & { user?: Record<string, unknown> };
}

/** A secret as long as a real one, made of a name. */
const secretOf = (name: string) => name.padEnd(43, '_');

export function person(name: string, role: Role, more: { account?: string; operator?: boolean } = {}): Person {
  const { account = ACCOUNT, operator = false } = more;
  const user = {
    id: `01997b5c-0000-7000-8000-${Buffer.from(name.slice(0, 6)).toString('hex').padStart(12, '0')}`,
    name,
    email: `${name}@hub.test`,
    accountId: account,
    status: Status.ACTIVE,
    groupId: '01997b5c-0000-7000-8000-0000000000e1',
    role,
  };
  return { cookie: `warren=${secretOf(name)}`, member: { user, accountStatus: Status.ACTIVE, operator } };
}

export const device = (init: object = {}) =>
  create(DeviceSchema, {
    id: DEVICE,
    serial: '10000000a1b2c3d4',
    name: 'raspberrypi',
    accountId: ACCOUNT,
    accountName: 'Acme',
    connected: true,
    sshEnabled: true,
    httpPort: 1880,
    httpAddress: 'raspberrypi-x7k2.devices.hub.test',
    statusSince: timestampFromDate(new Date('2026-01-31T08:15:30.000Z')),
    created: timestampFromDate(new Date('2026-01-01T00:00:00.000Z')),
    ...init,
  });

/** What the devices service answers a caller: the device with their rights, which a role gives. */
export const shownTo = (caller: Caller, of = device()) => ({
  device: {
    ...of,
    rights: rightsOn(requireUser(caller), of.accountId, []).map((right) => create(DeviceRightSchema, right)),
  },
});

export interface Answer {
  status: number;
  headers: IncomingMessage['headers'];
  text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
  json: any;
}

/** Who the gateway is in Redis. */
export const REDIS_USER = { name: 'gateway', rules: redisRules('gateway') };

type Handlers = Partial<RpcHandlers<typeof IdentityService>>;

/** A gateway on a free port, with real Redis and NATS, and services that the test writes. */
export class TestGateway {
  readonly people = new Map<string, Person>();
  readonly services = new LocalTransport();
  /** Secrets of the sessions that socket tokens were asked for. */
  readonly tokenSessions: string[] = [];
  /** What identity answers; a test may answer further calls. */
  readonly identity: Handlers = {};
  /** Milliseconds that sessions have left, by their secrets; absent for others. */
  readonly timesLeft = new Map<string, number>();
  /** When people signed in at their provider, by the secrets of their sessions; absent for others. */
  readonly authTimes = new Map<string, Date>();

  private constructor(
    readonly app: NestExpressApplication,
    readonly folder: string,
    /** As an administrator; the gateway has its own user. */
    readonly redis: Redis,
  ) {}

  static async start(env: Record<string, string> = {}): Promise<TestGateway> {
    const folder = await mkdtemp(join(tmpdir(), 'warren-gateway-'));
    await writeFile(join(folder, 'idp.xml'), '<none/>');
    const redis = env['REDIS_URL'] ?? process.env['TEST_REDIS_URL'] ?? '';
    const config = loadConfig(gatewayConfig, {
      NODE_ENV: 'test',
      LOG_LEVEL: 'silent',
      NATS_URL: process.env['TEST_NATS_URL'],
      OPS_PORT: '0',
      PORT: '0',
      HUB_URL: HUB,
      DEVICE_DOMAIN: 'devices.hub.test',
      CONSOLE_DIR: join(folder, 'console'),
      AGENT_PACKAGES_DIR: join(folder, 'packages'),
      AGENT_INSTALLER: join(folder, 'install.sh'),
      SAML_PROVIDERS: JSON.stringify([{ id: 'test', name: 'Test', metadata: join(folder, 'idp.xml') }]),
      ...env,
      REDIS_URL: await addRedisUser(redis, REDIS_USER),
    });
    const local = new LocalTransport();
    const module = await Test.createTestingModule({ imports: [appModule(config)] })
      .overrideProvider(NatsTransport)
      .useValue(local)
      .compile();
    const app = module.createNestApplication<NestExpressApplication>({ bodyParser: false, logger: false });
    setUpHttp(app);
    await app.listen(0, '127.0.0.1');
    const gateway = new TestGateway(app, folder, new Redis(redis));
    Object.assign(gateway, { services: local });
    gateway.serveSessions();
    return gateway;
  }

  get port(): number {
    return (this.app.getHttpServer().address() as AddressInfo).port;
  }

  signIn(who: Person): Person {
    this.people.set(who.cookie, who);
    return who;
  }

  /** Enters a replica that holds a device's link `c1` in the directory. */
  async link(deviceId: string, replica = 'r1'): Promise<void> {
    await this.redis.hset(deviceKey(deviceId), { replica, connection: 'c1', epoch: '5', since: '1' });
    await this.redis.hset(replicaKey(replica), { address: 'http://127.0.0.1:1' });
    await this.redis.zadd(BROKER.replicas, Date.now() + 60_000, replica);
  }

  /** Removes both from the directory. */
  async unlink(deviceId: string, replica = 'r1'): Promise<void> {
    await this.redis.zrem(BROKER.replicas, replica);
    await this.redis.del(deviceKey(deviceId), replicaKey(replica));
  }

  async stop(): Promise<void> {
    this.redis.disconnect();
    await this.app.close();
    await rm(this.folder, { recursive: true, force: true });
  }

  /** One request; the path is sent as it is written. */
  async call(
    method: string,
    path: string,
    options: { as?: Person; body?: unknown; headers?: Record<string, string> } = {},
  ) {
    const response = await this.open(method, path, options);
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString('utf8');
    const json = /json/.test(response.headers['content-type'] ?? '') ? JSON.parse(text) : undefined;
    return { status: response.statusCode ?? 0, headers: response.headers, text, json } as Answer;
  }

  get(path: string, as?: Person, headers?: Record<string, string>): Promise<Answer> {
    return this.call('GET', path, { ...(as ? { as } : {}), ...(headers ? { headers } : {}) });
  }

  open(
    method: string,
    path: string,
    { as, body, headers = {} }: { as?: Person; body?: unknown; headers?: Record<string, string> } = {},
  ): Promise<IncomingMessage> {
    const payload = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
    return new Promise((resolve, reject) => {
      const sent = httpRequest({
        host: '127.0.0.1',
        port: this.port,
        method,
        path,
        agent: false,
        headers: {
          ...(as ? { cookie: as.cookie } : {}),
          ...(payload === undefined
            ? {}
            : // Node sends the body of a DELETE without its length otherwise, and the server takes it for another request.
              {
                'content-type': 'application/json',
                'content-length': String(Buffer.byteLength(payload)),
                origin: HUB,
              }),
          ...headers,
        },
      });
      sent.once('response', resolve).once('error', reject);
      sent.end(payload);
    });
  }

  private serveSessions(): void {
    const byEmail = (email: string) =>
      [...this.people.values()].find((who) => `${who.cookie.slice(7).replace(/_+$/, '')}@hub.test` === email);
    Object.assign(this.identity, {
      getSession: async (_caller: Caller, { session }: GetSessionRequest) => {
        const who = this.people.get(`warren=${session}`);
        if (!who) throw new Fault('unauthenticated', 'the session has ended.');
        const saml = { email: `${session.replace(/_+$/, '')}@hub.test`, name: '' };
        const told = this.authTimes.get(session);
        const authTime = told ? { authTime: timestampFromDate(told) } : {};
        return { identityId: 'i', saml, id: `hash-${session}`, leftMs: this.timesLeft.get(session) ?? 0, ...authTime };
      },
      createSocketToken: async (_caller: Caller, request: CreateSocketTokenRequest) => {
        const { deviceId, purpose, user, session } = request;
        this.tokenSessions.push(session);
        return { token: `${deviceId}/${purpose}/${user?.userId}` };
      },
    } satisfies Handlers);
    this.services.serve(IdentityService, this.identity);
    this.services.serve(TenancyService, {
      resolveMember: async (_caller, { email }) => (byEmail(email)?.member ?? {}) as object,
    });
  }
}
