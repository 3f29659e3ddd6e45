import { DOMParser } from '@xmldom/xmldom';
import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { findings, reason, type Finding } from '../finding.ts';
import type { Options } from '../options.ts';
import { sharedDomains, twice } from './domains.ts';
import { ask, TIMEOUT_MS, unanswered } from '../request.ts';
import { skewOf } from './hub.ts';

const { ok, warn, fail, skip } = findings('saml');
const METADATA = 'urn:oasis:names:tc:SAML:2.0:metadata';
const SIGNATURE = 'http://www.w3.org/2000/09/xmldsig#';
const REDIRECT = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';
const DAY_MS = 24 * 3600_000;
const SOON_DAYS = 30;
/** Maximum difference of clocks with NTP. */
const SKEW_MS = 3_000;

type Provider = NonNullable<Options['SAML_PROVIDERS']>[number];

function parse(xml: string): Element {
  const ignore = () => undefined;
  const errorHandler = { warning: ignore, error: ignore, fatalError: ignore };
  const root = new DOMParser({ errorHandler }).parseFromString(xml, 'text/xml')?.documentElement;
  if (root?.namespaceURI !== METADATA) throw new Error('no SAML metadata');
  return root;
}

async function read(place: string): Promise<string> {
  if (!/^https?:/i.test(place)) return readFile(place, 'utf8');
  try {
    const response = await fetch(place, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (!response.ok) throw new Error(`it answers ${response.status}`);
    return await response.text();
  } catch (error) {
    // The reason of a failed fetch is in its cause.
    const { cause } = error as Error;
    throw unanswered(cause instanceof Error ? cause : (error as Error));
  }
}

function certificates(root: Element, name: string): Finding[] {
  const found = Array.from(root.getElementsByTagNameNS(SIGNATURE, 'X509Certificate'));
  if (found.length === 0)
    return [fail(`${name}: no certificate in its metadata`, 'Fetch the provider’s metadata again.')];
  const ends = found.map((element) => {
    const { validTo } = new X509Certificate(Buffer.from(element.textContent ?? '', 'base64'));
    return Math.floor((new Date(validTo).getTime() - Date.now()) / DAY_MS);
  });
  // While a provider rotates its key, both certificates are listed.
  const days = Math.max(...ends);
  const advice = 'Get the metadata with the provider’s next certificate before this one ends; it may hold both.';
  if (days < 0) return [fail(`${name}: its newest certificate ended ${-days} days ago`, advice)];
  if (days < SOON_DAYS) return [warn(`${name}: its newest certificate ends in ${days} days`, advice)];
  return [ok(`${name}: its certificate is good for ${days} days`)];
}

async function signInPlace(root: Element, name: string, toleranceMs: number): Promise<Finding[]> {
  const services = Array.from(root.getElementsByTagNameNS(METADATA, 'SingleSignOnService'));
  const place = services.find((one) => one.getAttribute('Binding') === REDIRECT)?.getAttribute('Location') ?? '';
  if (!URL.canParse(place)) {
    return [
      fail(`${name}: no SingleSignOnService with the HTTP-Redirect binding`, 'Turn that binding on at the provider.'),
    ];
  }
  const sent = Date.now();
  const answer = await ask(new URL(place)).catch((error: unknown) => reason(error));
  if (typeof answer === 'string') {
    return [
      warn(`${name}: ${place}: ${answer}`, 'Fine if only browsers can reach it; if not, see the provider’s state.'),
    ];
  }
  const skew = skewOf(answer.headers.date, sent, Date.now());
  if (skew === undefined)
    return [warn(`${name}: it tells no time`, 'Compare its clock with the hub’s by other means.')];
  if (Math.abs(skew) <= SKEW_MS) return [ok(`${name}: its clock agrees with this machine’s to ${SKEW_MS / 1000} s`)];
  const text = `${name}: its clock is ${Math.abs(skew / 1000).toFixed(1)} s ${skew < 0 ? 'behind' : 'ahead of'} this machine’s`;
  const allowed = `the hub allows ${toleranceMs / 1000} s (SAML_CLOCK_TOLERANCE)`;
  return [(Math.abs(skew) > toleranceMs ? fail : warn)(text, `Run NTP here and there: ${allowed}.`)];
}

interface Checked {
  id: string;
  entity?: string | undefined;
  found: Finding[];
}

/** Finds a provider that requires signed requests while the hub signs none. */
function signedRequests(root: Element, name: string, hubSigns: boolean | undefined): Finding[] {
  const [idp] = Array.from(root.getElementsByTagNameNS(METADATA, 'IDPSSODescriptor'));
  const wanted = /^(true|1)$/.test(idp?.getAttribute('WantAuthnRequestsSigned') ?? '');
  if (!wanted || hubSigns !== false) return [];
  return [
    fail(`${name}: it takes signed requests only, and the hub signs none`, 'Set SAML_KEY_FILE and SAML_CERT_FILE.'),
  ];
}

interface Hub {
  url: string;
  toleranceMs: number;
  /** Whether the hub signs its requests; unknown without its metadata. */
  signs: boolean | undefined;
}

async function checkOne({ id, metadata }: Provider, { url: hub, toleranceMs, signs }: Hub): Promise<Checked> {
  try {
    const root = parse(await read(metadata));
    const descriptors =
      root.localName === 'EntityDescriptor' ? [root] : root.getElementsByTagNameNS(METADATA, 'EntityDescriptor');
    const entity = descriptors[0]?.getAttribute('entityID') ?? undefined;
    const unnamed = fail(
      `${id}: its metadata has no entityID`,
      'Get the provider’s own metadata: this one does not allow sign-in.',
    );
    const found = [
      ...(entity ? [] : [unnamed]),
      ...certificates(root, id),
      ...signedRequests(root, id, signs),
      ...(await signInPlace(root, id, toleranceMs)),
    ];
    if (
      entity?.includes('warren-development') ||
      (/\/\/(localhost|127\.)/.test(entity ?? '') && !/localhost/.test(hub))
    ) {
      found.push(
        fail(`${id}: ${entity} is a development identity provider`, 'It signs anybody in as anybody: take it out.'),
      );
    }
    return { id, entity, found };
  } catch (error) {
    const advice = 'Put the metadata of SAML_PROVIDERS where the gateway can read it.';
    return { id, found: [fail(`${id}: ${metadata}: ${reason(error)}`, advice)] };
  }
}

/** Finds providers that are one. */
function sameNames(checked: Checked[]): Finding[] {
  return [...twice(checked.flatMap((one) => one.entity ?? []))].map((entity) =>
    fail(`${entity} is the name of two providers`, 'Give each provider its own metadata, or take one out.'),
  );
}

async function ownMetadata(hub: string): Promise<{ finding: Finding; signs?: boolean }> {
  const place = `${hub}/auth/saml/metadata`;
  const answer = await ask(new URL(place)).catch((error: unknown) => reason(error));
  if (typeof answer === 'string')
    return { finding: fail(`the hub’s own metadata: ${answer}`, 'See whether the gateway is reached.') };
  try {
    const root = parse(answer.text);
    const entity = root.getAttribute('entityID');
    const [own] = Array.from(root.getElementsByTagNameNS(METADATA, 'SPSSODescriptor'));
    const signs = own?.getAttribute('AuthnRequestsSigned') === 'true';
    if (entity === place) return { finding: ok(`the hub calls itself ${entity}`), signs };
    const text = `the hub calls itself ${entity}, and is ${place}`;
    return { finding: fail(text, 'Give all services the public address as HUB_URL.'), signs };
  } catch {
    const text = `the hub’s own metadata: ${answer.status}, and no metadata`;
    return { finding: fail(text, 'See where the ingress leads /auth.') };
  }
}

/**
 * Checks the metadata of the hub and of each provider: that it is readable and distinct, its certificates, clock and signatures.
 */
export async function checkProviders(options: Options): Promise<Finding[]> {
  const { HUB_URL, SAML_PROVIDERS, OIDC_PROVIDERS = [], SAML_CLOCK_TOLERANCE } = options;
  const { finding, signs } = await ownMetadata(HUB_URL);
  if (!SAML_PROVIDERS && OIDC_PROVIDERS.length > 0) return [finding];
  if (!SAML_PROVIDERS) return [finding, skip('identity providers', 'Set SAML_PROVIDERS.')];
  const hub = { url: HUB_URL, toleranceMs: SAML_CLOCK_TOLERANCE * 1000, signs };
  const theirs = await Promise.all(SAML_PROVIDERS.map((provider) => checkOne(provider, hub)));
  const together = [...sameNames(theirs), ...sharedDomains([...SAML_PROVIDERS, ...OIDC_PROVIDERS])];
  const several = SAML_PROVIDERS.length + OIDC_PROVIDERS.length > 1;
  const apart = several && together.length === 0 ? [ok('the providers have different domains')] : together;
  return [finding, ...theirs.flatMap(({ found }) => found), ...apart];
}
