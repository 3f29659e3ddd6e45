import { domainOf } from '@warren/rules/emails';
import { isServiceAccountHandle } from '@warren/rules/service-accounts';
import type { ProviderNames } from './provider.schema.ts';

/** What the refusal of a person of another domain says. */
export const foreignDomain = (email: string): string => `e-mail: ${email} is of none of the provider's domains`;

/**
 * Whether a provider may sign in a person, the only rule for all protocols: the exact domain of the address is one of the provider's. A
 * provider without domains is the hub's only one. No provider speaks for service accounts.
 * @param email as `readEmail` reads it
 */
export function maySignIn({ domains }: Pick<ProviderNames, 'domains'>, email: string): boolean {
  if (isServiceAccountHandle(email)) return false;
  return domains === undefined || domains.includes(domainOf(email));
}
