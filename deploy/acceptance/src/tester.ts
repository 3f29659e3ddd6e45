import type { Request } from 'express';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseRequest, signInResponse } from '@warren/local/idp/saml';
import type { Hub } from './hub.ts';

/** The hub's name for the test's identity provider. */
const PROVIDER = 'installation-test';

/**
 * Signs the tester in by SAML as the test's identity provider, whose key is in `folder`; the hub keeps the session.
 * @throws Error if the hub refuses the answer
 */
export async function signIn(hub: Hub, folder: string, email: string): Promise<void> {
  const [key, cert] = await Promise.all(
    ['tls.key', 'tls.crt'].map((name) => readFile(join(folder, name), 'utf8')) as [Promise<string>, Promise<string>],
  );
  const { headers } = await hub.ask(`/auth/saml/login?provider=${PROVIDER}&RelayState=%2Fprofile`, 302);
  const asked = new URL(headers.location ?? '');
  const request = await parseRequest({
    method: 'GET',
    query: Object.fromEntries(asked.searchParams),
  } as unknown as Request);
  const acs = `${hub.origin}/auth/saml/acs`;
  if (request?.assertionConsumerServiceURL !== acs)
    throw new Error(`the hub wants its answer at ${request?.assertionConsumerServiceURL}, not at ${acs}`);
  const issuer = { issuer: `https://${PROVIDER}.invalid/${hub.host}`, key, cert };
  const person = { email, name: 'Installation test', role: '', account: '' };
  const form = { SAMLResponse: await signInResponse(issuer, request, acs, person), RelayState: '/profile' };
  await hub.ask('/auth/saml/acs', 303, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
  });
}
