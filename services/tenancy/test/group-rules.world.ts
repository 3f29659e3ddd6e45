import type { INestApplicationContext } from '@nestjs/common';
import { startNats } from '@warren/infra/nats';
import type { TestDatabase } from '@warren/infra/test-database';
import { until } from '@warren/infra/until';
import { EventBus } from '@warren/platform/events/event.bus';
import { Outbox } from '@warren/platform/events/outbox';
import { serviceCaller } from '@warren/platform/rpc/caller';
import { Role } from '@warren/proto/common/v1/common';
import type { Event } from '@warren/proto/events/v1/events';
import { ProviderGroupsProblem } from '@warren/proto/tenancy/v1/tenancy';
import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { GroupRulesService } from '../src/group-rules/group.rules.service.ts';
import { Founder } from '../src/lifecycle/founder.ts';
import { GroupManagement } from '../src/lifecycle/group-management.service.ts';
import { MembersService } from '../src/members/members.service.ts';
import { SeedService } from '../src/seeding/seed.service.ts';
import { user } from './callers.ts';
import { startTenancy, tenancyDatabase } from './tenancy.process.ts';

export const GATEWAY = serviceCaller('gateway');
const { UNSPECIFIED, OVERAGE } = ProviderGroupsProblem;

/** Two accounts in a running tenancy, and helpers for the group rules and the sign-ins of Acme. */
export class GroupRulesWorld {
  database!: TestDatabase;
  nats!: Awaited<ReturnType<typeof startNats>>;
  app!: INestApplicationContext;
  source!: DataSource;
  rules!: GroupRulesService;
  acme!: string;
  zebra!: string;
  domain!: string;
  /** Ids of groups of Acme by name. */
  groups!: Record<string, string>;
  /** All events of all accounts by their ids, which sort by time. */
  readonly heard = new Map<string, Event>();

  async start(): Promise<void> {
    [this.database, this.nats] = await Promise.all([tenancyDatabase(), startNats()]);
    this.app = await startTenancy(this.database.url, this.nats.url);
    [this.source, this.rules] = [this.app.get(DataSource), this.app.get(GroupRulesService)];
    this.app.get(EventBus).listen((event) => this.heard.set(event.id, event));
  }

  async stop(): Promise<void> {
    await this.app.close();
    await this.nats.stop();
    await this.database.drop();
  }

  /** Adds a new Acme, Zebra and the groups of Acme. */
  async seed(): Promise<void> {
    const mark = randomUUID().slice(0, 8);
    this.domain = `${mark}.test`;
    const person = (name: string, group: 'Account Owners' | 'Admins' | 'Members') => ({
      email: `${name}@${this.domain}`,
      name,
      group,
    });
    const people = [person('owner', 'Account Owners'), person('ada', 'Admins'), person('mia', 'Members')];
    const { accounts } = await new SeedService(this.app.get(Outbox), this.app.get(Founder)).seed({
      accounts: [
        { name: `Acme ${mark}`, operator: false, users: people },
        {
          name: `Zebra ${mark}`,
          operator: false,
          users: [{ ...person('zoe', 'Members'), email: `zoe@zebra.${this.domain}` }],
        },
      ],
    });
    [this.acme, this.zebra] = accounts.map(({ id }) => id) as [string, string];
    for (const name of ['Engineers', 'Operations'])
      await this.app.get(GroupManagement).create(this.owner(), { accountId: this.acme, name, role: Role.MEMBER });
    const rows = await this.source.query<{ id: string; name: string }[]>(
      'SELECT id, name FROM groups WHERE account_id = $1',
      [this.acme],
    );
    this.groups = Object.fromEntries(rows.map(({ id, name }) => [name, id]));
  }

  readonly owner = (accountId = this.acme) => user(accountId, Role.OWNER);
  readonly rule = (value: string, group: string, provider = 'work') => ({
    provider,
    value,
    groupId: this.groups[group] ?? group,
  });
  readonly set = (...wanted: ReturnType<GroupRulesWorld['rule']>[]) =>
    this.rules.set(this.owner(), { accountId: this.acme, rules: wanted, version: '', domains: [] });
  readonly list = (caller = this.owner(), accountId = this.acme) => {
    const { domain } = this;
    return this.rules.list(caller, {
      accountId,
      domains: [domain, 'other.test', `proven.${domain}`, `claimed.${domain}`],
    });
  };

  /** A sign-in at a provider, which states groups; null for an answer that only refers to them. */
  readonly signIn = async (values: string[] | null, { who = 'mia', provider = 'work', bind = true } = {}) => {
    const stated = values ? { values, problem: UNSPECIFIED } : { values: [], problem: OVERAGE };
    const identity = { provider, subject: who };
    const email = `${who}@${this.domain}`;
    const member = await this.app
      .get(MembersService)
      .resolve(GATEWAY, { email, name: '', identity, bind, groups: stated });
    return { group: member.user?.groupName, outcome: member.groupMapping?.outcome, mapping: member.groupMapping };
  };

  readonly groupOf = async (who = 'mia') =>
    (
      await this.source.query<{ name: string }[]>(
        'SELECT g.name FROM users u JOIN groups g ON g.id = u.group_id WHERE u.email = $1',
        [`${who}@${this.domain}`],
      )
    )[0]?.name;
  readonly idOf = async (who = 'mia') =>
    (await this.source.query<{ id: string }[]>('SELECT id FROM users WHERE email = $1', [`${who}@${this.domain}`]))[0]
      ?.id ?? '';

  /** Events of Acme in their order; those after the one with the id `since`. */
  readonly eventsSince = (since = '') =>
    [...this.heard.values()]
      .filter(({ id, accountId }) => accountId === this.acme && id > since)
      .sort((one, other) => (one.id < other.id ? -1 : 1));

  /** Waits until Acme has as many audit events of such actions. */
  readonly audited = async (prefix: string, count: number) => {
    const found = () =>
      this.eventsSince().flatMap(({ id, kind }) =>
        kind.case === 'audit' && kind.value.action.startsWith(prefix) ? [{ ...kind.value, id }] : [],
      );
    await until(() => found().length >= count);
    return found();
  };
}
