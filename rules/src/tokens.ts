import { z } from 'zod';
import { deviceText } from './facts.ts';

/** Bounds of API tokens: of one person, service account and account, and how long one lasts. */
export const TOKEN_LIMITS = {
  perPerson: 20,
  perServiceAccount: 10,
  perAccount: 500,
  days: 365,
  name: 64,
  permissions: 100,
} as const;

/** The beginning of each token, by which secret scanners find leaked ones. */
export const TOKEN_PREFIX = 'wrn_';

/** What people call a token. */
export const tokenName = deviceText(TOKEN_LIMITS.name).trim().min(1, 'expected a name');

/** Days until a token expires. */
export const tokenDays = z
  .int('expected a whole number of days')
  .min(1, 'expected at least 1 day')
  .max(TOKEN_LIMITS.days, `expected at most ${TOKEN_LIMITS.days} days`);

/** Permissions that go with others, which are worth little alone: what is changed has to be found. */
export const IMPLIED_PERMISSIONS: Readonly<Record<string, readonly string[]>> = {
  'accounts.list': ['accounts.select'],
  'accounts.manage': ['accounts.read'],
  'grants.manage': ['grants.read'],
  'service-accounts.manage': ['service-accounts.read'],
  'audit.manage': ['audit.read'],
  'recordings.export': ['recordings.view'],
  'recordings.manage': ['recordings.view'],
  'domains.confirm': ['domains.manage'],
  'quotas.manage': ['quotas.read'],
  'users.list-all': ['users.list'],
  'users.manage': ['users.list'],
  'users.reset-sign-in': ['users.list'],
  'invitations.manage': ['invitations.list'],
  'groups.manage': ['groups.list'],
  'usage.list-all': ['usage.read'],
  'devices.list-all': ['devices.read'],
  'devices.open': ['devices.read'],
  'devices.manage': ['devices.read'],
  'devices.label': ['devices.read'],
  'devices.enrol': ['devices.read'],
  'alerts.acknowledge': ['devices.read'],
  'alerts.manage': ['devices.read'],
  'updates.manage': ['devices.read'],
  'updates.schedule': ['accounts.read'],
  'requests.create': ['accounts.read', 'devices.read'],
};

/** Adds the permissions that go with others; sorted, each once. */
export function withImplied(permissions: readonly string[]): string[] {
  return [...new Set(permissions.flatMap((one) => [one, ...(IMPLIED_PERMISSIONS[one] ?? [])]))].sort();
}

/** Permissions that no token uses: what they allow needs a recent sign-in, or a person. */
export const NOT_FOR_TOKENS: readonly string[] = ['requests.decide', 'terminals.observe'];

/** What a token that is limited to some devices may do at most. */
export const FILTERED_PERMISSIONS: readonly string[] = ['devices.read', 'devices.open'];
