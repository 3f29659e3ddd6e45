import { isLoopback } from '@warren/platform/config/loopback';
import type { Given } from '@warren/platform/config/production';
import { readFileSync } from 'node:fs';
import { authShape, type ProviderConfig } from '../config/auth.config.ts';
import { parseMetadata, type IdpMetadata } from './verifier/metadata.ts';

/** Part of the entity id of the development provider, which signs in anyone as anyone. */
const DEVELOPMENT = 'warren-development';

/** Returns why production refuses a provider; undefined if it doesn't. An entity id is only a name, so it may begin with http. */
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

/** Formats a log line with the reason of a failed start. */
export function refusal(id: string, unfit: string): string {
  return `SAML_PROVIDERS: ${id} is refused in production: ${unfit}`;
}

/** Finds the metadata files of two providers with the same entity id. URLs are checked when they are read. */
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

/** Lists what production refuses of the providers, as far as their URLs and files show before the start. */
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
    // A missing or incomplete file is read again and checked while the hub runs.
    return undefined;
  }
}
