import type { Given } from '@warren/platform/config/production';
import { authProblems } from './auth/config/auth.config.ts';
import { oidcProblems } from './auth/config/oidc.config.ts';
import { providerProblems, twinProblems } from './auth/saml/provider.policy.ts';
import { keyProblems } from './auth/saml/key.files.ts';

/** What the gateway finds wrong beyond the form of single variables: a line for each problem. */
export function gatewayProblems(given: Given): string[] {
  const production = (given['NODE_ENV'] ?? 'production') === 'production';
  return [
    ...authProblems(given),
    ...keyProblems(given),
    ...twinProblems(given),
    ...oidcProblems(given, production),
    ...(production ? providerProblems(given) : []),
  ];
}
