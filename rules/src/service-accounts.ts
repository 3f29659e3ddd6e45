import { z } from 'zod';
import { deviceText } from './facts.ts';
import { domainOf } from './emails.ts';

/** Bounds of service accounts. */
export const SERVICE_ACCOUNT_LIMITS = { perAccount: 100, name: 64, description: 200 } as const;

/** The roles that a service account can have. */
export const SERVICE_ACCOUNT_ROLES = ['Admin', 'Member'] as const;
export type ServiceAccountRole = (typeof SERVICE_ACCOUNT_ROLES)[number];

/** The domain of handles, which no mail reaches and no provider can speak for (RFC 6761, section 6.4). */
const HANDLE_DOMAIN = 'service-account.invalid';
const SLUG_MAX = 40;
const TAIL = 12;

export const serviceAccountName = deviceText(SERVICE_ACCOUNT_LIMITS.name).trim().min(1, 'expected a name');
export const serviceAccountDescription = deviceText(SERVICE_ACCOUNT_LIMITS.description).trim();
export const serviceAccountRole = z.enum(SERVICE_ACCOUNT_ROLES, `expected ${SERVICE_ACCOUNT_ROLES.join(' or ')}`);

/** The handle of a new service account: an address by which people recognise it where addresses are shown. @param id UUID */
export function serviceAccountHandle(name: string, id: string): string {
  const slug = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, SLUG_MAX)
    .replace(/^-|-$/g, '');
  return `${slug || 'service-account'}-${id.slice(-TAIL)}@${HANDLE_DOMAIN}`;
}

/** Whether an address is one that only service accounts have. */
export const isServiceAccountHandle = (email: string): boolean => domainOf(email) === HANDLE_DOMAIN;
