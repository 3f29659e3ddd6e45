import { setTimeout as sleep } from 'node:timers/promises';
import type { Hub } from './hub.ts';
import { sessionCookie } from './sign-in.ts';

/** A person who may invite, and where the mail lands. */
export interface Inviting {
  hub: Hub;
  /** Of a SuperAdmin. */
  cookie: string;
  /** The mail catcher. */
  mail: string;
}

export interface Invited {
  id: string;
  email: string;
}

/** What the link of an invitation carries. */
export interface Link {
  email: string;
  account: string;
  token: string;
}

const mailWait = 60_000;
const mailPoll = 50;

/** @param group a name */
export async function invite(
  { hub, cookie }: Inviting,
  email: string,
  account: string,
  group = 'Members',
): Promise<Invited> {
  const data = { emails: [email], groups: [group], account };
  type Sent = { invitations: { id: string }[] };
  const [sent] = (await hub.must<Sent>(cookie, 'POST', '/api/send_invitation', data)).invitations;
  if (!sent) throw new Error(`invitation of ${email}: none was made`);
  return { id: sent.id, email };
}

/** Reads the link out of the mail that the person got. */
export async function linkOf({ mail }: Inviting, email: string): Promise<Link> {
  for (const end = Date.now() + mailWait; Date.now() < end; await sleep(mailPoll)) {
    const response = await fetch(new URL(`/api/messages?to=${encodeURIComponent(email)}`, mail));
    const { messages } = (await response.json()) as { messages: { text: string }[] };
    const link = /https?:\S+\/(?:accept_invitation|signup-user)\?\S+/.exec(messages[0]?.text ?? '')?.[0];
    if (!link) continue;
    const query = new URL(link).searchParams;
    return { email, account: query.get('account') ?? '', token: query.get('token') ?? '' };
  }
  throw new Error(`invitation of ${email}: no mail came within ${mailWait} ms`);
}

/** Makes a user of an account: invited, signed in, accepted. @returns the user's id */
export async function join(inviting: Inviting, email: string, account: string, group?: string): Promise<string> {
  await invite(inviting, email, account, group);
  const [link, cookie] = await Promise.all([linkOf(inviting, email), sessionCookie(inviting.hub.origin, email)]);
  const { user } = await inviting.hub.must<{ user: string }>(cookie, 'POST', '/api/accept_invitation', link);
  return user;
}
