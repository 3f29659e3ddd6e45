import { create } from '@bufbuild/protobuf';
import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { startNats } from '@warren/infra/nats';
import type { TestDatabase } from '@warren/infra/test-database';
import { until } from '@warren/infra/until';
import { EventBus } from '@warren/platform/events/event.bus';
import { Outbox } from '@warren/platform/events/outbox';
import { serviceCaller } from '@warren/platform/rpc/caller';
import { Role } from '@warren/proto/common/v1/common';
import type { Event } from '@warren/proto/events/v1/events';
import {
  ChangeScimGroupRequestSchema,
  ChangeScimUserRequestSchema,
  ListScimRequestSchema,
  ScimAttribute,
} from '@warren/proto/tenancy/v1/scim';
import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { Founder } from '../src/lifecycle/founder.ts';
import { ScimGroupsService } from '../src/scim/scim.groups.service.ts';
import { ScimTokensService } from '../src/scim/scim.tokens.service.ts';
import { ScimUsersService } from '../src/scim/scim.users.service.ts';
import { SeedService } from '../src/seeding/seed.service.ts';
import { user } from './callers.ts';
import { insertDomain } from './rows.ts';
import { startTenancy, tenancyDatabase } from './tenancy.process.ts';

export const GATEWAY = serviceCaller('gateway');

let database: TestDatabase;
let nats: Awaited<ReturnType<typeof startNats>>;
let app: INestApplicationContext;
export let source: DataSource;
export let tokens: ScimTokensService;
export let users: ScimUsersService;
export let groups: ScimGroupsService;
/** Two accounts; Acme has the domain and the token. */
export let acme: string;
export let zebra: string;
export let domain: string;
export let tokenId: string;
/** All events since the test began. */
export let heard: Event[] = [];

/** Runs a tenancy for the tests of a file, and gives each test two accounts, a domain and a token. */
export function setUp(): void {
  beforeAll(async () => {
    [database, nats] = await Promise.all([tenancyDatabase(), startNats()]);
    app = await startTenancy(database.url, nats.url);
    source = app.get(DataSource);
    [tokens, users, groups] = [app.get(ScimTokensService), app.get(ScimUsersService), app.get(ScimGroupsService)];
    app.get(EventBus).listen((event) => heard.push(event));
  });

  afterAll(async () => {
    await app.close();
    await nats.stop();
    await database.drop();
  });

  beforeEach(async () => {
    const mark = randomUUID().slice(0, 8);
    domain = `${mark}.test`;
    const seed = new SeedService(app.get(Outbox), app.get(Founder));
    const person = (name: string, group: 'Account Owners' | 'Admins' | 'Members') => ({
      email: `${name}@${domain}`,
      name,
      group,
    });
    const people = [person('owner', 'Account Owners'), person('admin', 'Admins'), person('mia', 'Members')];
    const { accounts } = await seed.seed({
      accounts: [
        { name: `Acme ${mark}`, operator: false, users: people },
        { name: `Zebra ${mark}`, operator: false, users: [] },
      ],
    });
    [acme, zebra] = accounts.map(({ id }) => id) as [string, string];
    await insertDomain(source, acme, domain);
    const { secret } = await tokens.create(user(acme, Role.OWNER), { accountId: acme, name: 'Entra', days: 30 });
    tokenId = (await tokens.verify(GATEWAY, { secret })).tokenId;
    await until(async () => (await source.query<unknown[]>('SELECT FROM outbox')).length === 0);
    heard = [];
  });
}

export const fields = (more: object) => create(ChangeScimUserRequestSchema, { tokenId, ...more });
export const groupFields = (more: object) => create(ChangeScimGroupRequestSchema, { tokenId, ...more });
export const find = async (attribute: ScimAttribute, value: string, by = tokenId) =>
  users.list(GATEWAY, create(ListScimRequestSchema, { tokenId: by, attribute, value, limit: 100 }));
export const make = async (name: string, more: object = {}) =>
  (await users.create(GATEWAY, fields({ userName: `${name}@${domain}`, ...more }))).user?.id ?? '';
export const idOf = async (name: string) => {
  const { users: found } = await find(ScimAttribute.EMAIL, `${name}@${domain}`);
  return found?.[0]?.id ?? '';
};
export const groupOf = async (id: string) => (await find(ScimAttribute.ID, id)).users?.[0]?.groupName;
export const changes = async (...kinds: string[]) => {
  await until(async () => (await source.query<unknown[]>('SELECT FROM outbox')).length === 0);
  return heard.flatMap(({ kind }) => (kind.case === 'audit' && kinds.includes(kind.value.action) ? [kind.value] : []));
};
