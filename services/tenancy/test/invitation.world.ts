import { create } from '@bufbuild/protobuf';
import type { INestApplicationContext } from '@nestjs/common';
import { startNats } from '@warren/infra/nats';
import { startRedis, userArguments } from '@warren/infra/redis';
import type { TestDatabase } from '@warren/infra/test-database';
import { EventBus } from '@warren/platform/events/event.bus';
import type { Event } from '@warren/platform/events/event';
import { Outbox } from '@warren/platform/events/outbox';
import { serviceCaller, type Caller } from '@warren/platform/rpc/caller';
import { PageRequestSchema, Role } from '@warren/proto/common/v1/common';
import { DataSource } from 'typeorm';
import { Founder } from '../src/lifecycle/founder.ts';
import { AcceptanceService } from '../src/invitations/acceptance.service.ts';
import { InvitationsService } from '../src/invitations/invitations.service.ts';
import { peopleSchema } from '../src/seeding/people.ts';
import { SeedService } from '../src/seeding/seed.service.ts';
import { user } from './callers.ts';
import { MailServer } from '@warren/infra/mail';
import { linkIn } from './mail.link.ts';
import { REDIS_USER, startTenancy, tenancyDatabase } from './tenancy.process.ts';
import { until } from '@warren/infra/until';

const PEOPLE = peopleSchema.parse({
  accounts: [
    {
      name: 'Acme',
      users: [
        { email: 'owner@acme.test', name: 'Olga', group: 'Account Owners' },
        { email: 'member@acme.test', name: 'Max', group: 'Members' },
      ],
    },
    { name: 'Zebra', users: [{ email: 'owner@zebra.test', name: 'Zoe', group: 'Account Owners' }] },
  ],
});
let count = 0;
/** An unused e-mail. */
export const fresh = () => `guest${++count}@else.test`;

/** Acme, Zebra and the operator in a running tenancy with separate servers, and helpers for invitations. */
export class InvitationWorld {
  readonly heard: Event[] = [];
  database!: TestDatabase;
  nats!: Awaited<ReturnType<typeof startNats>>;
  redis!: Awaited<ReturnType<typeof startRedis>>;
  mail!: MailServer;
  app!: INestApplicationContext;
  source!: DataSource;
  service!: InvitationsService;
  acceptance!: AcceptanceService;
  acme!: string;
  zebra!: string;
  owner!: Caller;

  /** @param more variables of the environment: another Redis, say */
  async start(more: NodeJS.ProcessEnv = {}): Promise<void> {
    this.mail = await new MailServer().start();
    [this.database, this.nats, this.redis] = await Promise.all([
      tenancyDatabase(),
      startNats(),
      startRedis({}, userArguments(REDIS_USER)),
    ]);
    const env = { REDIS_URL: this.redis.url, SMTP_URL: this.mail.url, ...more };
    const app = await startTenancy(this.database.url, this.nats.url, env);
    this.app = app;
    this.source = app.get(DataSource);
    this.service = app.get(InvitationsService);
    this.acceptance = app.get(AcceptanceService);
    const { accounts } = await new SeedService(app.get(Outbox), app.get(Founder)).seed(PEOPLE);
    [this.acme, this.zebra] = accounts.map(({ id }) => id) as [string, string];
    this.owner = user(this.acme, Role.OWNER);
    app.get(EventBus).listen((event) => this.heard.push(event));
  }

  /** As before each test. */
  calm(): void {
    this.mail.refusal = undefined;
    this.heard.length = 0;
  }

  async stop(): Promise<void> {
    await this.app?.close();
    await Promise.all([this.nats?.stop(), this.redis?.stop(), this.mail?.stop()]);
    await this.database?.drop();
  }

  send = (emails: string[], groups = ['Members'], caller = this.owner, accountId = this.acme) =>
    this.service.send(caller, { accountId, groups, emails });

  list = (caller = this.owner, request: { accountId?: string; groupId?: string } = {}, limit = 200) => {
    const page = create(PageRequestSchema, { page: 1, limit });
    return this.service.list(caller, { accountId: '', groupId: '', ...request, page });
  };

  row = async (email: string, caller = this.owner) =>
    (await this.list(caller)).invitations?.find((invitation) => invitation.email === email);

  /** The link in a mail to an e-mail, once it has come. */
  mailed = async (email: string, times = 1) => {
    await until(() => this.mail.to(email).length >= times);
    const link = linkIn(this.mail.to(email)[times - 1]!);
    return { email: link['email'] ?? '', accountId: link['account'] ?? '', token: link['token'] ?? '' };
  };

  accept = (link: { email: string; accountId: string; token: string }, as = link.email) =>
    this.acceptance.accept(serviceCaller('gateway'), { link, signedInEmail: as, signedInName: 'Idp Name' });
}

/** Everything in a Redis, as text. */
export async function redisDump(url: string): Promise<string> {
  const { Redis } = await import('ioredis');
  const client = new Redis(url);
  try {
    const keys = await client.keys('*');
    const values = await Promise.all(
      keys.map(async (key) => {
        const type = await client.type(key);
        if (type === 'hash') return client.hgetall(key);
        if (type === 'zset') return client.zrange(key, 0, -1);
        if (type === 'list') return client.lrange(key, 0, -1);
        if (type === 'stream') return client.xrange(key, '-', '+');
        return type === 'string' ? client.get(key) : type;
      }),
    );
    return JSON.stringify([keys, values]);
  } finally {
    client.disconnect();
  }
}
