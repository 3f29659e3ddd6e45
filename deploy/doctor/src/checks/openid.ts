import { z } from 'zod';
import { findings, reason, type Finding } from '../finding.ts';
import type { Options } from '../options.ts';
import { TIMEOUT_MS, unanswered } from '../request.ts';
import { sharedDomains } from './domains.ts';
import { skewOf } from './hub.ts';

const { ok, warn, fail } = findings('oidc');

const address = z.url({ protocol: /^https?$/ });
const discovery = z.object({
  issuer: z.string(),
  authorization_endpoint: address,
  token_endpoint: address,
  jwks_uri: address,
  backchannel_logout_supported: z.boolean().optional(),
});
const keySet = z.object({ keys: z.array(z.looseObject({ kty: z.string() })) });

type Provider = NonNullable<Options['OIDC_PROVIDERS']>[number];

/** As the gateway does: with certificates that the system trusts, and no redirects. */
async function read(place: string): Promise<{ body: unknown; skew: number | undefined }> {
  const sent = Date.now();
  try {
    const answer = await fetch(place, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (!answer.ok) throw new Error(`it answers ${answer.status}`);
    const skew = skewOf(answer.headers.get('date') ?? undefined, sent, Date.now());
    return { body: await answer.json(), skew };
  } catch (error) {
    // The reason of a failed fetch is in its cause.
    const { cause } = error as Error;
    throw unanswered(cause instanceof Error ? cause : (error as Error));
  }
}

function clock(id: string, skew: number | undefined, toleranceMs: number): Finding {
  if (skew === undefined) return warn(`${id}: it tells no time`, 'Compare its clock with the hub’s by other means.');
  if (Math.abs(skew) <= toleranceMs) return ok(`${id}: its clock agrees with this machine’s within the tolerance`);
  const text = `${id}: its clock is ${Math.abs(skew / 1000).toFixed(1)} s ${skew < 0 ? 'behind' : 'ahead of'} this machine’s`;
  return fail(text, `Run NTP here and there: the hub allows ${toleranceMs / 1000} s (OIDC_CLOCK_TOLERANCE).`);
}

async function checkOne({ id, issuer }: Provider, toleranceMs: number): Promise<Finding[]> {
  const place = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  try {
    const { body, skew } = await read(place);
    const parsed = discovery.safeParse(body);
    if (!parsed.success) {
      const names = parsed.error.issues.map(({ path }) => path.join('.')).join(', ');
      const advice = 'Give the issuer in OIDC_PROVIDERS as the provider names it.';
      return [fail(`${id}: its discovery document lacks ${names}`, advice)];
    }
    const found = parsed.data;
    if (found.issuer.replace(/\/$/, '') !== issuer.replace(/\/$/, '')) {
      const text = `${id}: it calls itself ${found.issuer}, and OIDC_PROVIDERS says ${issuer}`;
      return [fail(text, 'Set the issuer to the name that it gives itself.')];
    }
    const { keys } = keySet.parse((await read(found.jwks_uri)).body);
    const usable = keys.filter(({ kty }) => kty !== 'oct').length;
    return [
      usable > 0
        ? ok(`${id}: its discovery document is readable, with ${usable} key${usable === 1 ? '' : 's'}`)
        : fail(`${id}: it has no key that the hub can verify with`, 'Turn on RS256 or ES256 at the provider.'),
      ...(found.backchannel_logout_supported === false
        ? [warn(`${id}: it reports no logouts`, 'A logout there ends sessions here only when they expire.')]
        : []),
      clock(id, skew, toleranceMs),
    ];
  } catch (error) {
    const advice = 'See whether the gateways reach the provider, with a certificate that they trust.';
    return [fail(`${id}: ${place}: ${reason(error)}`, advice)];
  }
}

/** Checks each OpenID Connect provider: its discovery document, issuer, keys and clock; and that no two share an e-mail domain. */
export async function checkOpenId(options: Options): Promise<Finding[]> {
  const { OIDC_PROVIDERS, SAML_PROVIDERS, OIDC_CLOCK_TOLERANCE } = options;
  if (!OIDC_PROVIDERS) return [];
  const theirs = await Promise.all(OIDC_PROVIDERS.map((provider) => checkOne(provider, OIDC_CLOCK_TOLERANCE * 1000)));
  // With SAML providers, their check compares all domains.
  return [...theirs.flat(), ...(SAML_PROVIDERS ? [] : sharedDomains(OIDC_PROVIDERS))];
}
