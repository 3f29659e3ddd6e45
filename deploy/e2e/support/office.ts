import type { Cookie } from '@playwright/test';
import { randomBytes } from 'node:crypto';
import { Hub } from './matrix/hub.ts';
import { invite, linkOf, type Invited, type Inviting } from './matrix/invite.ts';
import { enrolment, mark } from './matrix/bodies.ts';
import type { MadeDevice } from './matrix/place.ts';
import { sessionCookie } from './matrix/sign-in.ts';
import { person } from './people.ts';
import type { Warren } from './warren.ts';

export interface Group {
  id: string;
  name: string;
  role: string;
}

/** A user that a test has made. */
export interface MadeUser {
  id: string;
  email: string;
  name: string;
}

/** Calls the hub's API as a SuperAdmin to set up tests; every person signs in once. */
export class Office {
  readonly hub: Hub;
  readonly mail: string;
  private readonly estates = new Set<Estate>();
  /** The cookies of people who signed in through the forms, by e-mail. */
  readonly sessions = new Map<string, Cookie[]>();
  private readonly cookies = new Map<string, Promise<string>>();

  constructor({ facts }: Warren) {
    this.hub = new Hub(facts.hub);
    this.mail = facts.mail;
  }

  /** The session cookie of a person, as a header. */
  cookie(email: string): Promise<string> {
    const known = this.cookies.get(email) ?? sessionCookie(this.hub.origin, email);
    this.cookies.set(email, known);
    return known;
  }

  /** @throws with the answer when it is not 2xx */
  async call<T>(method: string, path: string, data?: unknown): Promise<T> {
    return this.hub.must<T>(await this.superAdmin(), method, path, data);
  }

  async inviting(): Promise<Inviting> {
    return { hub: this.hub, cookie: await this.superAdmin(), mail: this.mail };
  }

  /** Creates an account for one test. */
  async estate(kind = 'Orchard'): Promise<Estate> {
    const name = `${kind} ${mark()}`;
    const { account } = await this.call<{ account: { id: string } }>('POST', '/api/accounts/new', { name });
    const estate = new Estate(this, account.id, name);
    this.estates.add(estate);
    return estate;
  }

  /** Deletes an account that was created here, with its content. */
  async remove(estate: Estate): Promise<void> {
    if (!this.estates.delete(estate)) return;
    const answer = await this.hub.call(await this.superAdmin(), {
      method: 'DELETE',
      path: `/api/accounts/${estate.id}`,
    });
    // A test may have deleted it.
    if (answer.status >= 300 && answer.status !== 404) throw new Error(`${estate.name}: ${JSON.stringify(answer)}`);
  }

  /** Deletes everything that was created here. */
  async close(): Promise<void> {
    for (const estate of this.estates) await this.remove(estate);
  }

  private superAdmin(): Promise<string> {
    return this.cookie(person('superAdmin').email);
  }
}

/** The account of a test, and objects in it. */
export class Estate {
  readonly id: string;
  readonly name: string;
  private readonly office: Office;

  constructor(office: Office, id: string, name: string) {
    this.office = office;
    this.id = id;
    this.name = name;
  }

  async groups(): Promise<Group[]> {
    return (await this.office.call<{ groups: Group[] }>('GET', `/api/get_groups/${this.id}`)).groups;
  }

  async group(name: string): Promise<Group> {
    const found = (await this.groups()).find((group) => group.name === name);
    if (!found) throw new Error(`${this.name}: there is no group '${name}'`);
    return found;
  }

  async makeGroup(name: string, role: 'Admin' | 'Member' = 'Member'): Promise<Group> {
    const data = { name, role, account: this.id, default: 'No' };
    return (await this.office.call<{ group: Group }>('POST', '/api/groups/new', data)).group;
  }

  /** An unused address. */
  address(who: string): string {
    return `${who}-${randomBytes(4).toString('hex')}@orchard.example`;
  }

  async invite(who: string, group = 'Members'): Promise<Invited> {
    return invite(await this.office.inviting(), this.address(who), this.id, group);
  }

  /** Adds a user through invitation, sign-up and acceptance. */
  async user(name: string, group = 'Members'): Promise<MadeUser> {
    return this.join(name, (await this.invite(localPart(name), group)).email);
  }

  /** Returns the owner, added likewise. */
  async owner(name: string): Promise<MadeUser> {
    const owner = this.address(localPart(name));
    await this.office.call('POST', '/api/accounts/assign', { owner, account: this.id, is_new: 'new' });
    return this.join(name, owner);
  }

  /**
   * Enrols a device that never connects.
   * @param serial may be that of another device
   * @param told more facts that it reports
   */
  async device(name: string, serial = `orchard-${mark()}`, told = {}): Promise<MadeDevice & { name: string }> {
    const data = { account: this.id, devices: 1 };
    const { token } = await this.office.call<{ token: string }>('POST', '/api/enrolment_tokens', data);
    const body = {
      ...enrolment(this.id, token, serial),
      facts: { hostname: name, privateIp: '10.9.8.7', cpuCores: 4, ...told },
    };
    const { device_id: id } = await this.office.call<{ device_id: string }>('POST', '/agent/enrol', body);
    return { id, serial, name };
  }

  private async join(name: string, email: string): Promise<MadeUser> {
    const { hub } = this.office;
    const link = await linkOf(await this.office.inviting(), email);
    await hub.must(undefined, 'POST', '/api/signup', { ...link, name });
    const cookie = await this.office.cookie(email);
    const { user } = await hub.must<{ user: string }>(cookie, 'POST', '/api/accept_invitation', link);
    return { id: user, email, name };
  }
}

/** Of an e-mail address, from a name. */
const localPart = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z]+/g, '-')
    .replaceAll(/^-|-$/g, '');
