import { SAML, type Profile } from '@node-saml/node-saml';
import { verify } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import { clockDifferenceMs, decoded, issuerOf, named, outlineOf } from './provider.choice.ts';
import { isStrongSignature, requireDestination, type Outline } from './scan.ts';
import { requireKnownSigner, unknownSigner } from './signed.info.ts';
import { SignInRefused } from '../../refusal/sign-in.refused.ts';
import type { HubFacts, LogoutAnswer, LogoutSubject, RedirectMessage, Trusted } from './tasks.ts';

const MAX_INFLATED = 256 * 1024;
/** Maximum age of a LogoutRequest in milliseconds; an older one may be a replay. */
const MAX_AGE_MS = 5 * 60_000;
const SUCCESS = 'urn:oasis:names:tc:SAML:2.0:status:Success';

/** Verifies a posted LogoutRequest. @throws SignInRefused for one without a recent signature of the provider */
export async function verifyLogoutPost(
  message: string,
  hub: HubFacts,
  providers: readonly Trusted[],
): Promise<LogoutSubject> {
  const outline = outlineOf(decoded(message), 'LogoutRequest');
  const provider = issuerOf(outline, providers);
  return named(provider.id, measured(outline), async () => {
    requireNow(outline, hub);
    const { certificate } = requireKnownSigner(outline.signatures, provider.certificates);
    const saml = new SAML(settings(hub, provider, certificate));
    return subjectOf(provider, await saml.validatePostRequestAsync({ SAMLRequest: message }));
  });
}

/** Verifies a message by redirect, a request or an answer. @throws SignInRefused as {@link verifyLogoutPost} */
export async function verifyLogoutRedirect(
  message: RedirectMessage,
  hub: HubFacts,
  providers: readonly Trusted[],
): Promise<{ request: LogoutSubject } | { answer: LogoutAnswer }> {
  const isRequest = message.kind === 'SAMLRequest';
  const outline = outlineOf(inflated(message), isRequest ? 'LogoutRequest' : 'LogoutResponse');
  const provider = issuerOf(outline, providers);
  return named(provider.id, measured(outline), async () => {
    if (!isRequest) return { answer: answerOf(message, outline, provider) };
    requireNow(outline, hub);
    const certificate = requireSignedQuery(message, provider);
    const saml = new SAML(settings(hub, provider, certificate));
    return { request: subjectOf(provider, await saml.validateRedirectAsync(message.values, message.query)) };
  });
}

/** It only decides which page is shown, so it may be unsigned. */
function answerOf(message: RedirectMessage, outline: Outline, provider: Trusted): LogoutAnswer {
  if (message.values['Signature']) requireSignedQuery(message, provider);
  const succeeded = outline.status?.codes[0] === SUCCESS;
  return { provider: provider.id, inResponseTo: outline.inResponseTo, succeeded };
}

/** Returns the certificate whose key signed the query (SAML bindings 2.0, section 3.4.4.1). */
function requireSignedQuery({ kind, values, query }: RedirectMessage, { certificates }: Trusted): string {
  const { Signature = '', SigAlg = '' } = values;
  if (!Signature) throw new SignInRefused('logout: not signed', { kind: 'unsigned' });
  if (!isStrongSignature(SigAlg)) throw new SignInRefused('logout: SigAlg is not accepted', { kind: 'algorithm' });
  const parts = query.split('&');
  const signed = [kind, 'RelayState', 'SigAlg'].flatMap((name) => parts.filter((part) => part.startsWith(`${name}=`)));
  const [text, signature] = [Buffer.from(signed.join('&')), Buffer.from(Signature, 'base64')];
  const certificate = certificates.find((pem) => verify(SigAlg.slice(-'sha256'.length), text, pem, signature));
  if (certificate) return certificate;
  throw unknownSigner(undefined, certificates);
}

function requireNow(outline: Outline, hub: HubFacts): void {
  // Providers with a single URL send logouts to the URL of answers.
  requireDestination(outline, hub.sloUrl, hub.acsUrl);
  const age = Math.abs(Date.now() - Date.parse(outline.issueInstant));
  if (!(age <= MAX_AGE_MS)) throw new SignInRefused('logout: the request is not of now', { kind: 'time' });
}

function settings(hub: HubFacts, { entityId }: Trusted, certificate: string) {
  const [decryptionPvk] = hub.decryptionKeys;
  return {
    issuer: hub.entityId,
    callbackUrl: hub.acsUrl,
    idpIssuer: entityId,
    idpCert: certificate,
    acceptedClockSkewMs: hub.clockToleranceMs,
    ...(decryptionPvk ? { decryptionPvk } : {}),
  };
}

function subjectOf({ id: provider }: Trusted, { profile }: { profile: Profile | null }): LogoutSubject {
  if (!profile?.nameID) throw new SignInRefused('logout: no subject');
  const { ID = '', nameID, nameIDFormat = '', sessionIndex = '' } = profile;
  return { provider, id: ID, nameId: nameID, nameIdFormat: nameIDFormat, sessionIndex };
}

function inflated({ kind, values }: RedirectMessage): string {
  try {
    const bytes = inflateRawSync(Buffer.from(values[kind] ?? '', 'base64'), { maxOutputLength: MAX_INFLATED });
    return bytes.toString('utf8');
  } catch (cause) {
    throw new SignInRefused('logout: the message is not readable', { kind: 'unreadable', cause });
  }
}

function measured({ issueInstant }: Outline) {
  return () => ({ clockDifferenceMs: clockDifferenceMs(issueInstant), issueInstant });
}
