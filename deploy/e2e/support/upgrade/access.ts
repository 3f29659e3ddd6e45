import { expect, request as api, type APIRequestContext } from '@playwright/test';
import { getJson, sendJson } from '../api.ts';
import { person } from '../people.ts';
import type { Site, Visitor } from './site.ts';

/** Fields that change by themselves: uses, deliveries, checks. */
const CHANGING = [
  'used_at',
  'used_from',
  'lastDelivery',
  'failingSince',
  'lastError',
  'delivered',
  'skipped',
  'lastGap',
  'waiting',
  'waitingSince',
  'checked_at',
  'finding',
];
const RULES = {
  requests: true,
  longest_minutes: 480,
  approver_group: null,
  second_approver: false,
  guest_links: true,
  terminal_pin_days: 3,
  observe_terminals: true,
  recent_sign_in: { minutes: 15, terminals: false, manage: false, grants: false },
};
const MONTHS = 14;

/** Grants, requests, guest links, tokens and evidence of an account, which the former release does not have. */
export class AccessData {
  private before: object = {};
  private guest = { id: '', secret: '' };
  private tokens: string[] = [];
  private scim = '';

  constructor(
    private readonly site: Site,
    private readonly operator: Visitor,
  ) {}

  private get account(): string {
    return `/api/accounts/${this.site.warren.facts.device.account}`;
  }

  async add(): Promise<void> {
    await this.as('owner', async (owner) => {
      await this.grant(owner);
      await this.prove(owner);
      await this.call(owner, 'PUT', '/api/audit/retention', { months: MONTHS });
      const stream = { name: 'SIEM', kind: 'webhook', url: 'https://127.0.0.1:9/events' };
      await this.call(owner, 'POST', '/api/audit/streams', stream);
    });
    const wanted = { device: this.site.device, permissions: ['manage'], reason: 'The pump was replaced', minutes: 60 };
    await this.as('member', (member) => this.call(member, 'POST', `${this.account}/access/requests`, wanted));
    this.before = await this.shown();
    await this.expectKept();
  }

  /** All is still the same, and each secret still opens what it is for. */
  async expectKept(): Promise<void> {
    expect(await this.shown()).toEqual(this.before);
    for (const token of this.tokens) expect(await this.statusBy(token, `/api/devices/${this.site.device}`)).toBe(200);
    expect(await this.statusBy(this.scim, '/scim/v2/Users')).toBe(200);
    const { id, secret } = this.guest;
    const link = await this.call<{ state: string }>(this.operator.request, 'POST', `/api/guest/${id}`, { secret });
    expect(link.state).toBe('open');
  }

  /** A grant, rules, a guest link, and tokens of a person, a service account and a directory. */
  private async grant(owner: APIRequestContext): Promise<void> {
    await this.call(owner, 'PUT', `${this.account}/access/rules`, RULES);
    const grant = { subject: { kind: 'everyone' }, permissions: ['view', 'terminal'], filter: 'site=north' };
    await this.call(owner, 'POST', `${this.account}/grants`, grant);
    const link = { purpose: 'terminal', minutes: 480, pin: null, uses: 20 };
    const path = `/api/devices/${this.site.device}/guest-links`;
    const { result, url } = await this.call<{ result: { id: string }; url: string }>(owner, 'POST', path, link);
    this.guest = { id: result.id, secret: new URL(url).hash.slice(1) };
    const reading = { name: 'Inventory', permissions: ['devices.read'], filter: '', days: 30 };
    const own = await this.call<{ secret: string }>(owner, 'POST', '/api/profile/tokens', reading);
    const accounts = `${this.account}/service_accounts`;
    const runner = { name: 'CI runner', description: 'Tests of the night', role: 'Member' };
    const made = await this.call<{ result: { id: string } }>(owner, 'POST', accounts, runner);
    const tokens = `${accounts}/${made.result.id}/tokens`;
    const program = await this.call<{ secret: string }>(owner, 'POST', tokens, reading);
    this.tokens = [own.secret, program.secret];
    const directory = { name: 'Directory', days: 365 };
    this.scim = (await this.call<{ secret: string }>(owner, 'POST', `${this.account}/scim_tokens`, directory)).secret;
  }

  /** A domain that the operator has confirmed, and a rule for a group of the identity provider. */
  private async prove(owner: APIRequestContext): Promise<void> {
    const domains = `${this.account}/domains`;
    const data = { domain: 'meadow-upgrade.example' };
    const { result } = await this.call<{ result: { id: string } }>(owner, 'POST', domains, data);
    await this.call(this.operator.request, 'POST', `${domains}/${result.id}/confirm`);
    const { groups } = await getJson<{ groups: { id: string; name: string }[] }>(owner, `${this.account}/group_rules`);
    const rules = [{ provider: 'default', value: 'field-crew', group: groups[0]?.id }];
    await this.call(owner, 'PUT', `${this.account}/group_rules`, { rules });
  }

  /** What the owner sees of it. */
  private async shown(): Promise<object> {
    const lists = {
      rules: `${this.account}/access/rules`,
      grants: `${this.account}/grants`,
      requests: `${this.account}/access/requests`,
      guests: `/api/devices/${this.site.device}/guest-links`,
      tokens: '/api/profile/tokens',
      programs: `${this.account}/service_accounts`,
      directories: `${this.account}/scim_tokens`,
      domains: `${this.account}/domains`,
      groups: `${this.account}/group_rules`,
      streams: '/api/audit/streams',
      retention: '/api/audit/retention',
    };
    const shown: Record<string, unknown> = {};
    await this.as('owner', async (owner) => {
      for (const [name, path] of Object.entries(lists)) shown[name] = settled(await getJson(owner, path));
    });
    return shown;
  }

  /** Signs in as a person of the account: their sessions of before may have ended. */
  private async as(who: 'owner' | 'member', work: (request: APIRequestContext) => Promise<unknown>): Promise<void> {
    const { request } = await this.site.visitor(person(who).email);
    await work(request).finally(() => request.dispose());
  }

  private async statusBy(token: string, path: string): Promise<number> {
    const program = await api.newContext({ baseURL: this.site.hub });
    const response = await program.get(path, { headers: { authorization: `Bearer ${token}` } });
    await program.dispose();
    return response.status();
  }

  private call<T>(request: APIRequestContext, method: string, path: string, data?: object): Promise<T> {
    return sendJson({ request, hub: this.site.hub }, method, path, data);
  }
}

function settled(answer: unknown): unknown {
  const text = JSON.stringify(answer, (key, value: unknown) => (CHANGING.includes(key) ? undefined : value));
  return JSON.parse(text) as unknown;
}
