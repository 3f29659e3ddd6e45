import { randomBytes } from 'node:crypto';
import { everybody, person, type Who } from '../people.ts';
import type { Warren } from '../warren.ts';
import { Hub } from './hub.ts';
import { invite, join, type Inviting } from './invite.ts';
import { sessionCookie } from './sign-in.ts';

/** People whom a fresh start does not have: without session, account, active user or accepted invitation. */
const outsiders = ['nobody', 'stranger', 'disabled', 'invited'] as const;
type Outsider = (typeof outsiders)[number];

/** The columns of the tables: whom they tell apart. */
export const subjects = [
  ...(['superAdmin', 'operatorAdmin', 'operatorMember', 'owner', 'admin', 'member'] as const),
  ...outsiders,
] as const;
export type Subject = (typeof subjects)[number];

/** A caller of the hub. */
export interface Actor {
  name: Who | Outsider;
  subject: Subject;
  /** Undefined without a session. */
  cookie: string | undefined;
  email: string;
  /** Name of the account that counts as the own one. */
  account: string;
  /** Name of an account that is not. */
  other: string;
}

const customer = 'Meadow Farms';
const otherCustomer = 'Harbour Lab';

const subjectOf = (who: Who): Subject =>
  who === 'otherOwner' ? 'owner' : who === 'otherMember' ? 'member' : (who as Subject);

async function actorOf(hub: string, who: Who): Promise<Actor> {
  const { email, account } = person(who);
  const other = account === customer ? otherCustomer : customer;
  return { name: who, subject: subjectOf(who), cookie: await sessionCookie(hub, email), email, account, other };
}

/** Brings about what makes each outsider one, and signs in those who can. */
async function outsidersOf(inviting: Inviting, account: string): Promise<Actor[]> {
  const { hub, cookie } = inviting;
  const mark = randomBytes(4).toString('hex');
  const emailOf = (name: Outsider) => `${name}-${mark}@matrix.example`;
  const user = await join(inviting, emailOf('disabled'), account);
  await hub.must(cookie, 'PATCH', `/api/users/${user}`, { status: 'Inactive' });
  await invite(inviting, emailOf('invited'), account);
  return Promise.all(
    outsiders.map(async (name) => ({
      name,
      subject: name,
      email: emailOf(name),
      account: customer,
      other: otherCustomer,
      cookie: name === 'nobody' ? undefined : await sessionCookie(hub.origin, emailOf(name)),
    })),
  );
}

/** Everybody of the tables, each signed in once. */
export class Cast {
  readonly hub: Hub;
  readonly actors: readonly Actor[];
  readonly inviting: Inviting;

  private constructor(inviting: Inviting, actors: Actor[]) {
    this.hub = inviting.hub;
    this.actors = actors;
    this.inviting = inviting;
  }

  static async assemble(warren: Warren): Promise<Cast> {
    const hub = new Hub(warren.facts.hub);
    const people: Actor[] = [];
    for (const who of everybody) people.push(await actorOf(hub.origin, who));
    const inviting = { hub, cookie: cookieOf(people, 'superAdmin'), mail: warren.facts.mail };
    return new Cast(inviting, [...people, ...(await outsidersOf(inviting, warren.account(customer)))]);
  }

  /** The cookie of an actor with a session. */
  cookie(name: Actor['name']): string {
    return cookieOf(this.actors, name);
  }
}

function cookieOf(actors: readonly Actor[], name: Actor['name']): string {
  const cookie = actors.find((actor) => actor.name === name)?.cookie;
  if (!cookie) throw new Error(`${name}: expected an actor with a session`);
  return cookie;
}
