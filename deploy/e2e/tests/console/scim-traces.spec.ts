import { request } from '@playwright/test';
import { ENTRA_FLAGS } from '@warren/infra/scim/entra.flags';
import { ENTRA_GROUPS } from '@warren/infra/scim/entra.groups';
import { ENTRA_USERS } from '@warren/infra/scim/entra.users';
import { OKTA } from '@warren/infra/scim/okta';
import { OKTA_CHECKS } from '@warren/infra/scim/okta.checks';
import { isFilled, LIST_SCHEMA, play, type Answer, type Send, type Trace } from '@warren/infra/scim/trace';
import { randomBytes } from 'node:crypto';
import type { Estate, Office } from '../../support/office.ts';
import { expect, test } from '../../support/test.ts';

const ENTRA = [...ENTRA_USERS, ...ENTRA_GROUPS, ...ENTRA_FLAGS];

interface Provider {
  domain: string;
  send: Send<Answer>;
  close: () => Promise<void>;
}

/** An identity provider that has a token of the account, and a verified domain. */
async function provider(office: Office, estate: Estate, hub: string): Promise<Provider> {
  const account = `/api/accounts/${estate.id}`;
  const domain = `${randomBytes(4).toString('hex')}.orchard.example`;
  const { result } = await office.call<{ result: { id: string } }>('POST', `${account}/domains`, { domain });
  await office.call('POST', `${account}/domains/${result.id}/confirm`);
  const token = { name: 'Provider', days: 1 };
  const { secret } = await office.call<{ secret: string }>('POST', `${account}/scim_tokens`, token);
  const api = await request.newContext({ extraHTTPHeaders: { 'content-type': 'application/scim+json' } });
  const send: Send<Answer> = async (method, path, body, authorization = `Bearer ${secret}`) => {
    const options = { method, headers: { authorization } };
    const response = await api.fetch(`${hub}/scim/v2${path}`, body ? { ...options, data: body } : options);
    const text = await response.text();
    return { status: response.status(), json: text === '' ? undefined : (JSON.parse(text) as unknown) };
  };
  return { domain, send, close: () => api.dispose() };
}

async function replay({ send, domain }: Provider, published: Trace): Promise<void> {
  const { trace, answer, after } = await play(send, published, domain);
  const what = `${trace.what} (${trace.source}): ${JSON.stringify(answer.json)}`;
  expect(trace.status, what).toContain(answer.status);
  for (const { expected, answer: read } of after)
    if (typeof expected === 'number') expect(read.status, what).toBe(expected);
    else expect(read.json, what).toMatchObject(expected);
  if (answer.status === 204) return expect(answer.json, what).toBeUndefined();
  expect(answer.json, what).toMatchObject(trace.answer ?? {});
  expect(trace.filled?.filter((path) => !isFilled(answer.json, path)) ?? [], what).toEqual([]);
  if (trace.path.includes('excludedAttributes=members')) expect(what).not.toContain('"members"');
  const { schemas, totalResults, startIndex, itemsPerPage } = answer.json as Record<string, unknown>;
  if (!(schemas as string[]).includes(LIST_SCHEMA)) return;
  expect([totalResults, startIndex, itemsPerPage].every(Number.isInteger), what).toBe(true);
}

for (const [name, traces] of [
  ['Entra ID', ENTRA],
  ['Okta', [...OKTA, ...OKTA_CHECKS]],
] as const)
  test(`the requests that ${name} documents get the answers that it documents`, async ({ estate, office, warren }) => {
    // The first user of the account joined without SCIM.
    await estate.owner('Olga Reed');
    const idp = await provider(office, estate, warren.facts.hub);
    for (const trace of traces) await test.step(trace.what, () => replay(idp, trace));
    await idp.close();
  });

test('another address is refused, in every form that Entra ID documents', async ({ estate, office, warren }) => {
  const idp = await provider(office, estate, warren.facts.hub);
  const changes = ENTRA.filter(({ body }) => JSON.stringify(body ?? {}).includes('emails[type eq'));
  expect(changes).toHaveLength(3);
  for (const trace of changes) {
    const [id = ''] = Object.keys(trace.given?.users ?? {});
    const before = { userName: 'Test_User', emails: [{ value: 'before@testuser.com', primary: true }] };
    const emails = [{ value: `before@${idp.domain}` }];
    const after = { [`/Users/${id}`]: 200 };
    const played = await play(idp.send, { ...trace, given: { users: { [id]: before } }, after }, idp.domain);
    expect(played.answer).toMatchObject({ status: 400, json: { status: '400', scimType: 'mutability' } });
    expect(played.after[0]?.answer.json).toMatchObject({ userName: 'Test_User', emails, active: true });
  }
  await idp.close();
});
