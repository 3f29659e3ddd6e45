import {
  accessRequest,
  accessRules,
  alertRule,
  enrolment,
  grantBody,
  guestLinkBody,
  mark,
  serviceAccountBody,
  streamBody,
  tomorrow,
  webhook,
} from './bodies.ts';
import type { Inviting, Invited, Link } from './invite.ts';
import { invite, join, linkOf } from './invite.ts';
import { Recorder } from './recorder.ts';
import { sessionCookie } from './sign-in.ts';

export interface MadeDevice {
  id: string;
  serial: string;
}

/** What an account can lose to a test: made when it is first asked for, and again after it was spent. */
interface Things {
  /** A separate account, to be disabled or deleted. */
  account: string;
  group: string;
  user: string;
  device: MadeDevice;
  /** A device with an exposed web service. */
  page: { id: string; address: string };
  invitation: Invited;
  /** Lets devices in. */
  token: { id: string; token: string };
  /** The link of an invitation. */
  link: Link;
  /** A version of the agent that the hub has. */
  version: string;
  /** A filter that the account shares. */
  filter: string;
  /** A rule of alerts, and a silence. */
  rule: string;
  silence: string;
  /** A grant. */
  grant: string;
  /** The cookie of a person who may ask for access. */
  asker: string;
  /** An open access request of that person. */
  request: string;
  /** A guest link of that person, to a device that nothing else uses. */
  guestLink: { device: string; id: string; secret: string };
  /** A domain that is claimed only. */
  domain: string;
  /** A service account that is active. */
  serviceAccount: string;
  /** A channel of notifications. */
  channel: string;
  /** A stream of audit events. */
  stream: string;
  /** A rollout to an account without devices. */
  rollout: string;
  /** A bulk job that is done: its device is not connected. */
  job: string;
  /** A device with a running agent. */
  recorder: Recorder;
  /** A recording of a terminal of the person who may ask for access; it is closed. */
  recording: string;
}
export type Thing = keyof Things;

/** An account with throw-away things in it, all made through the API. */
export class Place {
  readonly name: string;
  readonly id: string;
  private readonly inviting: Inviting;
  private readonly things = new Map<Thing, Promise<unknown>>();

  constructor(inviting: Inviting, name: string, id: string) {
    this.name = name;
    this.inviting = inviting;
    this.id = id;
  }

  /** The same thing as before, unless it was spent. */
  thing<Name extends Thing>(name: Name): Promise<Things[Name]> {
    const made = this.things.get(name) ?? this.make(name);
    this.things.set(name, made);
    return made as Promise<Things[Name]>;
  }

  /** The thing is gone: the next who asks gets another. */
  spend(name: Thing): void {
    this.things.delete(name);
  }

  /** The recording, which nobody holds. */
  async releasedRecording(): Promise<string> {
    const id = await this.thing('recording');
    await this.put(`/api/recordings/${id}/hold`, { held: false });
    return id;
  }

  /** A device whose agent is connected: it has recorded a terminal. */
  async linkedDevice(): Promise<string> {
    await this.thing('recording');
    return (await this.thing('recorder')).device;
  }

  /** Ends what runs for it. */
  async close(): Promise<void> {
    if (this.things.has('recorder')) await (await this.thing('recorder')).remove();
  }

  /** Makes room for another channel: an account has 20 at most. */
  async withoutChannels(): Promise<void> {
    const { hub, cookie } = this.inviting;
    const path = '/api/notification-channels';
    const { channels } = await hub.must<{ channels: { id: string }[] }>(cookie, 'GET', `${path}?account=${this.id}`);
    for (const { id } of channels) await hub.must(cookie, 'DELETE', `${path}/${id}`);
    this.spend('channel');
  }

  /** Makes room for another stream of audit events: an account has 5 at most. */
  async withoutStreams(): Promise<void> {
    const { hub, cookie } = this.inviting;
    const path = '/api/audit/streams';
    const { streams } = await hub.must<{ streams: { id: string }[] }>(cookie, 'GET', `${path}?account=${this.id}`);
    for (const { id } of streams) await hub.must(cookie, 'DELETE', `${path}/${id}`);
    this.spend('stream');
  }

  /** Makes room for other API tokens of a name: a person has 20 at most. */
  async withoutTokens(name: string): Promise<void> {
    const { hub, cookie } = this.inviting;
    const { tokens } = await hub.must<{ tokens: { id: string }[] }>(
      cookie,
      'GET',
      `/api/tokens?limit=200&search=${name}`,
    );
    for (const { id } of tokens) await hub.must(cookie, 'DELETE', `/api/tokens/${id}`);
  }

  /** Makes room for another alert rule: an account has 50 at most. */
  async withoutAlertRules(): Promise<void> {
    const { hub, cookie } = this.inviting;
    const path = '/api/alert-rules';
    const { rules } = await hub.must<{ rules: { id: string; preset: string | null }[] }>(
      cookie,
      'GET',
      `${path}?account=${this.id}`,
    );
    for (const { id, preset } of rules) if (preset === null) await hub.must(cookie, 'DELETE', `${path}/${id}`);
    this.spend('rule');
  }

  /** Makes room for another SCIM token: an account has two at most. */
  async withoutScimTokens(): Promise<void> {
    const { hub, cookie } = this.inviting;
    const path = `/api/accounts/${this.id}/scim_tokens`;
    const { tokens } = await hub.must<{ tokens: { id: string }[] }>(cookie, 'GET', path);
    for (const { id } of tokens) await hub.must(cookie, 'DELETE', `${path}/${id}`);
  }

  /** Makes room for another domain: an account has 20 at most. */
  async withoutDomains(): Promise<void> {
    const { hub, cookie } = this.inviting;
    const path = `/api/accounts/${this.id}/domains`;
    const { domains } = await hub.must<{ domains: { id: string }[] }>(cookie, 'GET', path);
    for (const { id } of domains) await hub.must(cookie, 'DELETE', `${path}/${id}`);
    this.spend('domain');
  }

  async enrolmentToken(): Promise<string> {
    return (await this.token()).token;
  }

  private token(): Promise<Things['token']> {
    return this.post('/api/enrolment_tokens', { account: this.id, devices: 500 });
  }

  private make(name: Thing): Promise<unknown> {
    const makers: Record<Thing, () => Promise<unknown>> = {
      account: async () =>
        (await this.post<{ account: { id: string } }>('/api/accounts/new', { name: `Matrix ${mark()}` })).account.id,
      group: async () => {
        const data = { name: `Matrix ${mark()}`, role: 'Member', account: this.id };
        return (await this.post<{ group: { id: string } }>('/api/groups/new', data)).group.id;
      },
      domain: async () => {
        const data = { domain: `${mark()}.matrix.example` };
        return (await this.post<{ result: { id: string } }>(`/api/accounts/${this.id}/domains`, data)).result.id;
      },
      user: () => join(this.inviting, `user-${mark()}@matrix.example`, this.id),
      device: async () => {
        const serial = `matrix-${mark()}`;
        const body = enrolment(this.id, await this.enrolmentToken(), serial);
        return { id: (await this.post<{ device_id: string }>('/agent/enrol', body)).device_id, serial };
      },
      page: () => this.page(),
      token: () => this.token(),
      invitation: () => invite(this.inviting, `guest-${mark()}@matrix.example`, this.id),
      version: async () =>
        (await this.inviting.hub.must<{ installed: string }>(this.inviting.cookie, 'GET', '/api/updates/releases'))
          .installed,
      rollout: async () => {
        const data = { version: await this.thing('version'), account: await this.make('account'), share: 1 };
        return (await this.post<{ result: { id: string } }>('/api/updates/rollouts', data)).result.id;
      },
      job: async () => {
        const data = { action: 'reboot', ids: [(await this.thing('device')).id] };
        return (await this.post<{ id: string }>('/api/devices/bulk', data)).id;
      },
      filter: async () => {
        const data = { name: mark(), filter: 'site=north', scope: 'account', account: this.id };
        return (await this.post<{ result: { id: string } }>('/api/filters', data)).result.id;
      },
      rule: async () => (await this.post<{ result: { id: string } }>('/api/alert-rules', alertRule(this.id))).result.id,
      silence: async () => {
        const data = { account: this.id, filter: 'site=north', until: tomorrow(), reason: 'Matrix' };
        return (await this.post<{ result: { id: string } }>('/api/alert-silences', data)).result.id;
      },
      grant: async () =>
        (await this.post<{ result: { id: string } }>(`/api/accounts/${this.id}/grants`, grantBody())).result.id,
      asker: async () => {
        const email = `asker-${mark()}@matrix.example`;
        await join(this.inviting, email, this.id);
        await this.put(`/api/accounts/${this.id}/access/rules`, accessRules());
        return sessionCookie(this.inviting.hub.origin, email);
      },
      request: async () => {
        const [asker, path] = [await this.thing('asker'), `/api/accounts/${this.id}/access/requests`];
        type Made = { result: { id: string } };
        return (await this.inviting.hub.must<Made>(asker, 'POST', path, accessRequest())).result.id;
      },
      guestLink: async () => {
        const asker = await this.thing('asker');
        const { id: device } = (await this.make('device')) as MadeDevice;
        type Made = { result: { id: string }; url: string };
        const path = `/api/devices/${device}/guest-links`;
        const { result, url } = await this.inviting.hub.must<Made>(asker, 'POST', path, guestLinkBody());
        return { device, id: result.id, secret: new URL(url).hash.slice(1) };
      },
      serviceAccount: async () => {
        const path = `/api/accounts/${this.id}/service_accounts`;
        return (await this.post<{ result: { id: string } }>(path, serviceAccountBody())).result.id;
      },
      channel: async () => {
        await this.withoutChannels();
        return (await this.post<{ result: { id: string } }>('/api/notification-channels', webhook(this.id))).result.id;
      },
      stream: async () => {
        await this.withoutStreams();
        return (await this.post<{ result: { id: string } }>('/api/audit/streams', streamBody(this.id))).result.id;
      },
      recorder: async () => {
        const { command } = await this.post<{ command: string }>('/api/enrolment_tokens', { account: this.id });
        return Recorder.install(this.inviting, this.id, command);
      },
      recording: async () => (await this.thing('recorder')).record(await this.thing('asker')),
      link: async () => linkOf(this.inviting, (await invite(this.inviting, this.guest(), this.id)).email),
    };
    return makers[name]();
  }

  private async page(): Promise<Things['page']> {
    const { id, serial } = await (this.make('device') as Promise<MadeDevice>);
    const on = await this.put<{ result: { http_address: string } }>('/tunnel/enable_http', { id, serial, port: 1880 });
    return { id, address: on.result.http_address };
  }

  private put<T>(path: string, data: unknown): Promise<T> {
    return this.inviting.hub.must(this.inviting.cookie, 'PUT', path, data);
  }

  private guest(): string {
    return `guest-${mark()}@matrix.example`;
  }

  private post<T>(path: string, data: unknown): Promise<T> {
    return this.inviting.hub.must(this.inviting.cookie, 'POST', path, data);
  }
}
