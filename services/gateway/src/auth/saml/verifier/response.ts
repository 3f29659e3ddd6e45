import { SAML, ValidateInResponseTo, type CacheProvider, type Profile } from '@node-saml/node-saml';
import { verifiedAnswer } from './assertion.ts';
import { decryptedAssertion } from './encrypted.ts';
import { askedBy, clockDifferenceMs, decoded, issuerOf, named, outlineOf } from './provider.choice.ts';
import { requireDestination, type Outline } from './scan.ts';
import { requireKnownSigner } from './signed.info.ts';
import { SignInRefused } from '../../refusal/sign-in.refused.ts';
import type { HubFacts, Trusted, VerifiedAnswer } from './tasks.ts';

const SUCCESS = 'urn:oasis:names:tc:SAML:2.0:status:Success';
/** Maximum age of an assertion in milliseconds, whatever its own expiry. */
const MAX_ASSERTION_AGE_MS = 10 * 60_000;

/** Accepts every request: the gateway checks it after the signature is verified. */
const ANY_REQUEST: CacheProvider = {
  saveAsync: async (_id, value) => ({ value, createdAt: Date.now() }),
  getAsync: async () => new Date().toISOString(),
  removeAsync: async (id) => id,
};

/**
 * Verifies a posted answer: signature, issuer, audience, recipient, times and status. Does not check that the hub sent the request, or
 * that the answer is used once.
 * @returns undefined for a LogoutResponse, which providers with a single URL send there too
 * @throws SignInRefused
 */
export async function verifyResponse(
  message: string,
  hub: HubFacts,
  providers: readonly Trusted[],
): Promise<VerifiedAnswer | undefined> {
  const xml = decoded(message);
  const outline = outlineOf(xml, 'Response', 'LogoutResponse');
  if (outline.kind === 'LogoutResponse') return undefined;
  const provider = issuerOf(outline, providers);
  return named(
    provider.id,
    () => measured(outline, hub),
    async () => {
      requireDestination(outline, hub.acsUrl);
      const succeeded = outline.status?.codes[0] === SUCCESS;
      // A refusal may be unsigned, as some providers don't sign them.
      if (!succeeded) throw refusal(outline);
      const { certificate, key } = await signerOf(xml, outline, hub, provider);
      const saml = new SAML(settings(hub, provider, certificate, key));
      const { profile } = await verified(saml.validatePostResponseAsync({ SAMLResponse: message }));
      if (!profile) throw new SignInRefused('the provider signed nobody in', { kind: 'status' });
      return verifiedAnswer(profile, { ...hub, provider });
    },
  );
}

/** Finds the signer of the message, or of the assertion that is encrypted in it. */
async function signerOf(xml: string, outline: Outline, hub: HubFacts, { certificates }: Trusted) {
  const signer = outline.signatures.length > 0 ? requireKnownSigner(outline.signatures, certificates) : undefined;
  const inside = await decryptedAssertion(xml, hub.decryptionKeys);
  const known = inside && !signer ? requireKnownSigner(inside.outline.signatures, certificates) : signer;
  if (!known) throw requireKnownSigner([], certificates);
  return { certificate: known.certificate, key: inside?.key };
}

function settings(hub: HubFacts, { entityId }: Trusted, certificate: string, key: string | undefined) {
  return {
    issuer: hub.entityId,
    callbackUrl: hub.acsUrl,
    audience: hub.entityId,
    idpIssuer: entityId,
    idpCert: certificate,
    // The assertion or the response around it is signed; node-saml reads signed bytes only in both cases.
    wantAssertionsSigned: false,
    wantAuthnResponseSigned: false,
    validateInResponseTo: ValidateInResponseTo.always,
    cacheProvider: ANY_REQUEST,
    acceptedClockSkewMs: hub.clockToleranceMs,
    maxAssertionAgeMs: MAX_ASSERTION_AGE_MS,
    ...(key ? { decryptionPvk: key } : {}),
  };
}

/** Maps error texts of node-saml to kinds of refusal. */
const KINDS = [
  [/signature/i, 'altered'],
  [/expired|not yet valid|No valid subject confirmation/, 'time'],
  [/audience/, 'address'],
  [/InResponseTo/, 'request'],
] as const;

async function verified(work: Promise<{ profile: Profile | null }>) {
  try {
    return await work;
  } catch (cause) {
    if (cause instanceof SignInRefused) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    const [, kind] = KINDS.find(([pattern]) => pattern.test(reason)) ?? [];
    const what = kind === 'altered' ? `${reason}: the message was changed after it was signed` : reason;
    throw new SignInRefused(what, { cause, ...(kind ? { kind } : {}) });
  }
}

function refusal({ status }: Outline): SignInRefused {
  const codes = (status?.codes ?? []).map((code) => code.replace(/^urn:oasis:names:tc:SAML:2\.0:status:/, ''));
  const said = status?.message.slice(0, 300) ?? '';
  return new SignInRefused(`status: ${codes.join(', ').slice(0, 300) || 'none'}${said ? ` (${said})` : ''}`, {
    kind: 'status',
    said,
  });
}

function measured(outline: Outline, hub: HubFacts) {
  return {
    clockDifferenceMs: clockDifferenceMs(outline.issueInstant),
    clockToleranceMs: hub.clockToleranceMs,
    issueInstant: outline.issueInstant,
    ...askedBy(outline),
  };
}
