import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { startNats } from '@warren/infra/nats';
import type { TestDatabase } from '@warren/infra/test-database';
import { Outbox } from '@warren/platform/events/outbox';
import type { Caller } from '@warren/platform/rpc/caller';
import { Role } from '@warren/proto/common/v1/common';
import { DataSource } from 'typeorm';
import { Founder } from '../src/lifecycle/founder.ts';
import { peopleSchema } from '../src/seeding/people.ts';
import { SeedService } from '../src/seeding/seed.service.ts';
import { UserExport } from '../src/users/user.export.ts';
import { user } from './callers.ts';
import { startTenancy, tenancyDatabase } from './tenancy.process.ts';

const PEOPLE = peopleSchema.parse({
  accounts: [
    {
      name: 'Acme',
      users: ['Account Owners', 'Admins', 'Developers', 'Members'].map((group, n) => ({
        email: `${'abcd'[n]}@acme.test`,
        name: group,
        group,
      })),
    },
    { name: 'Zebra', users: [{ email: 'z@zebra.test', name: 'Zoe', group: 'Members' }] },
  ],
});

describe('users', () => {
  let database: TestDatabase;
  let nats: Awaited<ReturnType<typeof startNats>>;
  let app: INestApplicationContext;
  let source: DataSource;
  let acme: string;
  let zebra: string;

  beforeAll(async () => {
    [database, nats] = await Promise.all([tenancyDatabase(), startNats()]);
    app = await startTenancy(database.url, nats.url);
    source = app.get(DataSource);
    const { accounts } = await new SeedService(app.get(Outbox), app.get(Founder)).seed(PEOPLE);
    [acme, zebra] = accounts.map(({ id }) => id) as [string, string];
  });

  afterAll(async () => {
    await app?.close();
    await nats?.stop();
    await database?.drop();
  });

  const groupOf = async (account: string, name: string): Promise<string> =>
    (await source.query('SELECT id FROM groups WHERE account_id = $1 AND name = $2', [account, name]))[0]?.id;

  describe('the export', () => {
    const all = async (caller: Caller, filter = {}) => {
      const request = { accountId: '', groupId: '', search: '', ...filter };
      const emails: string[] = [];
      for (let after = '', parts = 1; ; parts++) {
        const { users: part = [], next = '' } = await app.get(UserExport).part(caller, { ...request, after });
        emails.push(...part.map(({ email }) => email ?? ''));
        if (next === '') return { emails, parts };
        after = next;
      }
    };

    it('has every user of the filter once, in parts', async () => {
      await source.query(
        `INSERT INTO users (id, account_id, group_id, email, name)
         SELECT gen_random_uuid(), account_id, id, 'n' || n || '@acme.test', CASE WHEN n % 2 = 0 THEN 'Änn' ELSE '' END
         FROM groups, generate_series(1, 900) n WHERE account_id = $1 AND name = 'Members'`,
        [acme],
      );
      const { emails, parts } = await all(user(acme, Role.OWNER));
      expect([emails.length, new Set(emails).size, parts]).toEqual([904, 904, 3]);
      expect((await all(user(acme, Role.OWNER), { search: 'änn' })).emails).toHaveLength(450);
      expect((await all(user(acme, Role.ADMIN), { groupId: await groupOf(acme, 'Admins') })).emails).toEqual([
        'b@acme.test',
      ]);
    });

    it("has no other account's, and is for managers", async () => {
      expect((await all(user(zebra, Role.OWNER))).emails).toEqual(['z@zebra.test']);
      await expect(all(user(zebra, Role.OWNER), { accountId: acme })).rejects.toMatchObject({ code: 'not_found' });
      await expect(all(user(acme, Role.MEMBER))).rejects.toMatchObject({ code: 'permission_denied' });
      const part = app
        .get(UserExport)
        .part(user(acme, Role.OWNER), { accountId: '', groupId: '', search: '', after: '{}' });
      await expect(part).rejects.toMatchObject({ code: 'invalid_argument' });
    });
  });
});
