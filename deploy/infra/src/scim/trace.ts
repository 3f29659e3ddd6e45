import { randomUUID } from 'node:crypto';

export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group';
export const ENTERPRISE_SCHEMA = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
export const PATCH_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
export const LIST_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';
export const ERROR_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:Error';

/**
 * A request that the maker of an identity provider publishes. Path and body are as published, with the ids and host names of the page;
 * {@link play} replaces them with those of the server.
 */
export interface Trace {
  what: string;
  /** The page that publishes it, and the heading there. */
  source: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the address that the identity provider knows. */
  path: string;
  body?: object;
  /** Instead of the token. */
  authorization?: string;
  /** The published status; several where the page leaves a choice. */
  status: readonly number[];
  /** Parts of the published answer: without ids, times and attributes that Warren does not keep. */
  answer?: Record<string, unknown>;
  /** Paths of the answer that must have a value, which the page leaves open. */
  filled?: readonly string[];
  /** What exists before, by the ids of the page. Pages don't publish this. */
  given?: { users?: Readonly<Record<string, object>>; groups?: Readonly<Record<string, object>> };
  /** An id of the page that does not exist. */
  missing?: string;
  /** What is read after it: the resource, or its status. Pages don't publish this. */
  after?: Readonly<Record<string, Record<string, unknown> | number>>;
}

export interface Answer {
  status: number;
  json: unknown;
}

/** Sends a request to the SCIM address of an account. */
export type Send<A extends Answer> = (
  method: string,
  path: string,
  body?: object,
  authorization?: string,
) => Promise<A>;

/** A trace that was played, with the ids and host names of the server. */
interface Played<A extends Answer> {
  trace: Trace;
  answer: A;
  after: { expected: Record<string, unknown> | number; answer: A }[];
  /** Replaces ids and host names of the page with those of the server. */
  translated: <T>(value: T) => T;
}

/** Host names of addresses on the pages. */
const HOSTS = /(@|%40)(?:testuser\.com|contoso\.com|(?:test\.)?microsoft\.com|okta\.local)/gi;

/**
 * Creates what a trace needs, sends it, reads what it left behind, and deletes all of it.
 * @param domain a verified domain of the account
 */
export async function play<A extends Answer>(send: Send<A>, published: Trace, domain: string): Promise<Played<A>> {
  const stage = new Stage(send, domain);
  try {
    const { users = {}, groups = {} } = published.given ?? {};
    for (const [id, user] of Object.entries(users)) await stage.make('/Users', id, { schemas: [USER_SCHEMA], ...user });
    for (const [id, group] of Object.entries(groups))
      await stage.make('/Groups', id, { schemas: [GROUP_SCHEMA], ...group });
    if (published.missing !== undefined) stage.ids.set(published.missing, randomUUID());
    const trace = stage.translated(published);
    const answer = await send(trace.method, trace.path, trace.body, trace.authorization);
    stage.note(trace.path, answer);
    const after = [];
    for (const [path, expected] of Object.entries(trace.after ?? {}))
      after.push({ expected, answer: await send('GET', path) });
    return { trace, answer, after, translated: (value) => stage.translated(value) };
  } finally {
    await stage.clear();
  }
}

/** Whether a part of an answer has a value. @param path such as `Resources.0.id` */
export function isFilled(answer: unknown, path: string): boolean {
  let part = answer;
  for (const name of path.split('.')) part = (part as Record<string, unknown> | undefined)?.[name];
  return part !== undefined && part !== null && part !== '';
}

/** What exists for one trace. */
class Stage<A extends Answer> {
  /** Ids of the server, by those of the page. */
  readonly ids = new Map<string, string>();
  private readonly made: string[] = [];
  private readonly send: Send<A>;
  private readonly domain: string;

  constructor(send: Send<A>, domain: string) {
    this.send = send;
    this.domain = domain;
  }

  async make(path: string, id: string, resource: object): Promise<void> {
    const answer = await this.send('POST', path, this.translated(resource));
    if (answer.status !== 201) throw new Error(`${path} ${id}: ${answer.status} ${JSON.stringify(answer.json)}`);
    this.ids.set(id, this.note(path, answer));
  }

  /** Remembers a resource that a request has created. Returns its id. */
  note(path: string, { status, json }: A): string {
    const { id = '' } = (status === 201 ? json : {}) as { id?: string };
    if (id !== '') this.made.push(`${path}/${id}`);
    return id;
  }

  translated<T>(value: T): T {
    let text = JSON.stringify(value).replaceAll(HOSTS, `$1${this.domain}`);
    for (const [published, id] of this.ids) text = text.replaceAll(published, id);
    return JSON.parse(text) as T;
  }

  async clear(): Promise<void> {
    for (const path of this.made.reverse()) await this.send('DELETE', path);
  }
}
