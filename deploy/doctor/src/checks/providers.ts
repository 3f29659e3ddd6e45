import { DOMParser } from '@xmldom/xmldom';
import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { findings, reason, type Finding } from '../finding.ts';
import type { Options } from '../options.ts';
import { ask } from '../request.ts';
import { skewOf } from './hub.ts';

const { ok, warn, fail, skip } = findings('saml');
const METADATA = 'urn:oasis:names:tc:SAML:2.0:metadata';
const SIGNATURE = 'http://www.w3.org/2000/09/xmldsig#';
const REDIRECT = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';
const DAY_MS = 24 * 3600_000;
const SOON_DAYS = 30;
/** The gateway's own allowance. */
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
  const response = await fetch(place, { signal: AbortSignal.timeout(10_000) });
  if (!response.ok) throw new Error(`${place} answers ${response.status}`);
  return response.text();
}

function certificates(root: Element, name: string): Finding[] {
  const found = Array.from(root.getElementsByTagNameNS(SIGNATURE, 'X509Certificate'));
  if (found.length === 0) return [fail(`${name}: no certificate in its metadata`, 'Get the provider’s metadata anew.')];
  const ends = found.map((element) => {
    const { validTo } = new X509Certificate(Buffer.from(element.textContent ?? '', 'base64'));
    return Math.floor((new Date(validTo).getTime() - Date.now()) / DAY_MS);
  });
  // Old and new stand side by side while a provider changes its key.
  const days = Math.max(...ends);
  const advice = 'Get the metadata with the provider’s next certificate before this one ends; both may stand in it.';
  if (days < SOON_DAYS) return [warn(`${name}: its newest certificate ends in ${days} days`, advice)];
  return [ok(`${name}: its certificate is good for ${days} days`)];
}

async function signInPlace(root: Element, name: string): Promise<Finding[]> {
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
  return [fail(text, 'Run NTP here and there: the hub refuses assertions of another time.')];
}

async function checkOne({ id, metadata }: Provider, hub: string): Promise<Finding[]> {
  try {
    const root = parse(await read(metadata));
    const entity =
      root.getAttribute('entityID') ?? root.getElementsByTagName('EntityDescriptor')[0]?.getAttribute('entityID');
    const found = [...certificates(root, id), ...(await signInPlace(root, id))];
    if (
      entity?.includes('warren-development') ||
      (/\/\/(localhost|127\.)/.test(entity ?? '') && !/localhost/.test(hub))
    ) {
      found.push(
        fail(`${id}: ${entity} is a development identity provider`, 'It signs anybody in as anybody: take it out.'),
      );
    }
    return found;
  } catch (error) {
    return [
      fail(`${id}: ${metadata}: ${reason(error)}`, 'Put the metadata of SAML_PROVIDERS where the gateway can read it.'),
    ];
  }
}

async function ownMetadata(hub: string): Promise<Finding> {
  const place = `${hub}/auth/saml/metadata`;
  const answer = await ask(new URL(place)).catch((error: unknown) => reason(error));
  if (typeof answer === 'string')
    return fail(`the hub’s own metadata: ${answer}`, 'See whether the gateway is reached.');
  try {
    const entity = parse(answer.text).getAttribute('entityID');
    if (entity === place) return ok(`the hub calls itself ${entity}`);
    return fail(`the hub calls itself ${entity}, and is ${place}`, 'Give all services the public address as HUB_URL.');
  } catch {
    return fail(`the hub’s own metadata: ${answer.status}, and no metadata`, 'See where the ingress leads /auth.');
  }
}

/** The hub's metadata, and each provider's: readable, with a certificate that lasts, and a clock that agrees. */
export async function checkProviders({ HUB_URL, SAML_PROVIDERS }: Options): Promise<Finding[]> {
  const own = ownMetadata(HUB_URL);
  if (!SAML_PROVIDERS) return [await own, skip('identity providers', 'Set SAML_PROVIDERS.')];
  const theirs = await Promise.all(SAML_PROVIDERS.map((provider) => checkOne(provider, HUB_URL)));
  return [await own, ...theirs.flat()];
}
