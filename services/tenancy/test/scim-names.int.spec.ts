import { create } from '@bufbuild/protobuf';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { startNats } from '@warren/infra/nats';
import type { TestDatabase } from '@warren/infra/test-database';
import { Outbox } from '@warren/platform/events/outbox';
import { serviceCaller } from '@warren/platform/rpc/caller';
import { Role } from '@warren/proto/common/v1/common';
import { ChangeScimUserRequestSchema, ListScimRequestSchema, ScimAttribute } from '@warren/proto/tenancy/v1/scim';
import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { Founder } from '../src/lifecycle/founder.ts';
import { ScimTokensService } from '../src/scim/scim.tokens.service.ts';
import { ScimUsersService } from '../src/scim/scim.users.service.ts';
import { SeedService } from '../src/seeding/seed.service.ts';
import { user } from './callers.ts';
import { insertDomain } from './rows.ts';
import { startTenancy, tenancyDatabase } from './tenancy.process.ts';

const GATEWAY = serviceCaller('gateway');

let database: TestDatabase;
let nats: Awaited<ReturnType<typeof startNats>>;
let app: INestApplicationContext;
let users: ScimUsersService;
let domain: string;
let tokenId: string;

beforeAll(async () => {
  [database, nats] = await Promise.all([tenancyDatabase(), startNats()]);
  app = await startTenancy(database.url, nats.url);
  users = app.get(ScimUsersService);
});

afterAll(async () => {
  await app.close();
  await nats.stop();
  await database.drop();
});

beforeEach(async () => {
  const mark = randomUUID().slice(0, 8);
  domain = `${mark}.test`;
  const people = [{ email: `mia@${domain}`, name: 'Mia', group: 'Members' as const }];
  const seed = new SeedService(app.get(Outbox), app.get(Founder));
  const { accounts } = await seed.seed({ accounts: [{ name: `Acme ${mark}`, operator: false, users: people }] });
  const accountId = accounts[0]?.id ?? '';
  await insertDomain(app.get(DataSource), accountId, domain);
  const tokens = app.get(ScimTokensService);
  const { secret } = await tokens.create(user(accountId, Role.OWNER), { accountId, name: 'Entra', days: 30 });
  tokenId = (await tokens.verify(GATEWAY, { secret })).tokenId;
});

const request = (fields: object) => create(ChangeScimUserRequestSchema, { tokenId, ...fields });
const find = async (attribute: ScimAttribute, value: string) =>
  users.list(GATEWAY, create(ListScimRequestSchema, { tokenId, attribute, value, limit: 100 }));

it('reads addresses as the provider writes them', async () => {
  const email = `Ann.Lee@${domain.toUpperCase()}`;
  const { user: made } = await users.create(GATEWAY, request({ userName: 'Test_User', email }));
  expect(made).toMatchObject({ userName: 'Test_User', email });
  expect((await find(ScimAttribute.EMAIL, email.toLowerCase())).users).toMatchObject([{ id: made?.id, email }]);
  const written = `ann.LEE@${domain}`;
  const { user: changed } = await users.change(GATEWAY, request({ id: made?.id, email: written }));
  expect(changed?.email).toBe(written);
  const { user: named } = await users.change(GATEWAY, request({ id: made?.id, givenName: 'Ann' }));
  expect(named?.email).toBe(written);
  expect((await find(ScimAttribute.EMAIL, `mia@${domain}`)).users?.[0]?.email).toBe(`mia@${domain}`);
});

it('changes a user name that is not the address, but not to the address of another user', async () => {
  const email = `ann@${domain}`;
  const { user: made } = await users.create(GATEWAY, request({ userName: 'Test_User', email }));
  const id = made?.id ?? '';
  const userName = `5b50642d@${domain}`;
  const { user: changed } = await users.change(GATEWAY, request({ id, userName }));
  expect(changed).toMatchObject({ userName, email });
  const { user: disabled } = await users.change(GATEWAY, request({ id, userName, email, active: false }));
  expect(disabled).toMatchObject({ userName, email, active: false });
  await expect(users.change(GATEWAY, request({ id, userName: `MIA@${domain}` }))).rejects.toMatchObject({
    code: 'already_exists',
  });
  await expect(users.change(GATEWAY, request({ id, email: `bob@${domain}` }))).rejects.toMatchObject({
    code: 'failed_precondition',
  });
  expect((await find(ScimAttribute.USER_NAME, `mia@${domain}`)).total).toBe(1);
});
