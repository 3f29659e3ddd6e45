import type { ProviderConfig } from '../auth.config.ts';
import type { IdpMetadata } from './metadata.ts';

/** Stands in the entity id of the identity provider that signs anybody in as anybody. */
const DEVELOPMENT = 'warren-development';
const LOOPBACK = /^(localhost|.*\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Why a provider may not be used in production; nothing if it may. An entity id is a name, so plain http in it is no harm. */
export function unfitForProduction(
  config: Pick<ProviderConfig, 'metadata'>,
  metadata: IdpMetadata,
): string | undefined {
  const { entityId, signInUrl, logoutUrl, logoutAnswerUrl } = metadata;
  if (entityId.includes(DEVELOPMENT)) return `${entityId} is a development identity provider`;
  if (URL.canParse(entityId) && LOOPBACK.test(new URL(entityId).hostname))
    return `${entityId} is on this machine alone`;
  const plain = [config.metadata, signInUrl, logoutUrl, logoutAnswerUrl].find((url) => url?.startsWith('http:'));
  return plain ? `${plain} is not https` : undefined;
}
