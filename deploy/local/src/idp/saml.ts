import { randomBytes } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import samlp, { type AuthnRequest, type Profile } from 'samlp';
import type { SigningKeys } from './keys.ts';
import type { Person } from './people.ts';

const minutes = 60;
const emailFormat = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';
const success = 'urn:oasis:names:tc:SAML:2.0:status:Success';
const redirectBinding = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';

/** The identity provider's entity id, its address and keys. */
export interface Issuer extends SigningKeys {
  issuer: string;
}

/** A person with the groups to state; without any, the attribute is left out, as other providers do. */
export type StatedPerson = Person & { groups?: readonly string[] };

const profileOf = ({ email, name, groups = [] }: StatedPerson): Profile => ({
  getClaims: () => ({ email, displayName: name, ...(groups.length > 0 && { groups: [...groups] }) }),
  getNameIdentifier: () => ({ nameIdentifier: email, nameIdentifierFormat: emailFormat }),
});

const signed = ({ issuer, key, cert }: Issuer) => ({
  issuer,
  key,
  cert,
  signatureAlgorithm: 'rsa-sha256' as const,
  digestAlgorithm: 'sha256' as const,
});

/** Reads the SAMLRequest of a request's query or form, undefined if there is none (SAML 2.0 bindings, 3.4 and 3.5). */
export function parseRequest(request: Request): Promise<AuthnRequest | undefined> {
  return new Promise((resolve, reject) => {
    samlp.parseRequest(request, {}, (error, data) => (error ? reject(error) : resolve(data)));
  });
}

/** Builds a response that signs the person in, with signed assertion and response; base64, for the POST binding. */
export function signInResponse(issuer: Issuer, to: AuthnRequest, acs: string, person: StatedPerson): Promise<string> {
  const options = {
    ...signed(issuer),
    audience: to.issuer,
    inResponseTo: to.id,
    recipient: acs,
    destination: acs,
    sessionIndex: `_${randomBytes(16).toString('hex')}`,
    lifetimeInSeconds: 5 * minutes,
    signAssertion: true,
    signResponse: true,
    profileMapper: profileOf,
  };
  return new Promise((resolve, reject) => {
    samlp.getSamlResponse(options, person, (error, xml) =>
      error ? reject(error) : resolve(Buffer.from(xml).toString('base64')),
    );
  });
}

/** Answers a logout request by sending the browser back with a signed LogoutResponse. This provider keeps no sessions. */
export function logoutAnswer(issuer: Issuer, inResponseTo: string | undefined, destination: string): RequestHandler {
  // samlp writes any given status, despite the function's name.
  return samlp.sendLogoutError({
    ...signed(issuer),
    destination,
    inResponseTo,
    protocolBinding: redirectBinding,
    deflate: true,
    error: { code: success },
  });
}

/** Builds the metadata document (SAML 2.0 metadata, 2.4.3). */
export function metadata({ issuer, cert }: Issuer): string {
  const attributes = [
    { id: 'email', displayName: 'E-mail' },
    { id: 'displayName', displayName: 'Name' },
    { id: 'groups', displayName: 'Groups' },
  ];
  const middleware = samlp.metadata({
    issuer,
    cert,
    redirectEndpointPath: '/sso',
    postEndpointPath: '/sso',
    logoutEndpointPaths: { redirect: '/slo' },
    profileMapper: { prototype: { metadata: attributes } },
  });
  // samlp derives URLs from a request; the configured ones replace them.
  const { host, protocol } = new URL(issuer);
  let document = '';
  const request = { originalUrl: '', protocol: protocol.replace(':', ''), headers: { host } };
  middleware(request, { set: () => undefined, send: (text) => (document = text) });
  return document;
}
