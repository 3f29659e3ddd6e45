import { isLoopback } from '@warren/platform/config/loopback';
import type { Given } from '@warren/platform/config/production';
import { readFileSync } from 'node:fs';
import { authShape, type ProviderConfig } from '../auth.config.ts';
import { parseMetadata, type IdpMetadata } from './verifier/metadata.ts';

/** Stands in the entity id of the identity provider that signs anybody in as anybody. */
const DEVELOPMENT = 'warren-development';

/** Why a provider may not be used in production; nothing if it may. An entity id is a name, so plain http in it is no harm. */
export function unfitForProduction(
  config: Pick<ProviderConfig, 'metadata'>,
  metadata: IdpMetadata,
): string | undefined {
  const { entityId, signInUrl, logoutUrl, logoutAnswerUrl } = metadata;
  if (entityId.includes(DEVELOPMENT)) return `${entityId} is a development identity provider`;
  if (URL.canParse(entityId) && isLoopback(new URL(entityId).hostname)) return `${entityId} is on this machine alone`;
  const plain = [config.metadata, signInUrl, logoutUrl, logoutAnswerUrl].find((url) => url?.startsWith('http:'));
  return plain ? `${plain} is not https` : undefined;
}

/** One line of the log that says why the start failed. */
export function refusal(id: string, unfit: string): string {
  return `SAML_PROVIDERS: ${id} is refused in production: ${unfit}`;
}

/** Files of two providers that have one name. What is at an address is looked at when it is read. */
export function twinProblems(given: Given): string[] {
  const named = new Map<string, string>();
  return (authShape.SAML_PROVIDERS.safeParse(given['SAML_PROVIDERS']).data ?? []).flatMap(({ id, metadata }) => {
    const name = entityIdIn(metadata);
    const other = name === undefined ? undefined : named.get(name);
    if (name !== undefined) named.set(name, id);
    return other === undefined
      ? []
      : [`SAML_PROVIDERS: ${other} and ${id} are one provider: both call themselves ${name}`];
  });
}

function entityIdIn(metadata: string): string | undefined {
  if (/^https?:/i.test(metadata)) return undefined;
  try {
    return parseMetadata(readFileSync(metadata, 'utf8')).entityId;
  } catch {
    return undefined;
  }
}

/** What production refuses of the providers as far as that is known before the start: by their address or file. */
export function providerProblems(given: Given): string[] {
  const providers = authShape.SAML_PROVIDERS.safeParse(given['SAML_PROVIDERS']);
  return (providers.data ?? []).flatMap((provider) => {
    const unfit = unfitSource(provider.metadata);
    return unfit ? [refusal(provider.id, unfit)] : [];
  });
}

function unfitSource(metadata: string): string | undefined {
  if (/^https?:/i.test(metadata)) return metadata.startsWith('http:') ? `${metadata} is not https` : undefined;
  try {
    return unfitForProduction({ metadata }, parseMetadata(readFileSync(metadata, 'utf8')));
  } catch {
    // A file that is not there yet, or not whole, is read again while the hub runs, and judged then.
    return undefined;
  }
}
