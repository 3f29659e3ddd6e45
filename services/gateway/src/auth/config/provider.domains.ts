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

/**
 * Whether a provider may sign in people of an account, by the e-mail domains of the account: those of its users, and those it has proved.
 * Rules of the account can name no other provider.
 */
export function speaksFor({ domains }: Pick<ProviderNames, 'domains'>, ofAccount: readonly string[]): boolean {
  return domains === undefined || domains.some((domain) => ofAccount.includes(domain));
}
