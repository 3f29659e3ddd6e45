import type { RecentSignIn } from '@warren/proto/common/v1/common';
import { RECENT_SIGN_IN_LIMITS } from '@warren/rules/access-requests';
import { TOKEN_RULES } from '../tokens/token.permissions.ts';

/** The switches of an account; none for one that has set nothing, and for members of an older tenancy. */
type Switches = Omit<RecentSignIn, '$typeName' | '$unknown'>;

const NONE: Switches = {
  minutes: RECENT_SIGN_IN_LIMITS.default,
  terminals: false,
  manage: false,
  grants: false,
};

/** Deciding about access requests needs a recent sign-in in every account. */
const ALWAYS: readonly string[] = ['approveAccessRequest', 'denyAccessRequest'];
/** They open terminals and desktops, or let guests do so. */
const TERMINALS: readonly string[] = ['getSocketToken', 'generateToken', 'createGuestLink'];
/** It decides who gets the grants of groups. */
const GRANTS: readonly string[] = ['setGroupRules'];

/**
 * Finds how recent a sign-in an operation needs.
 * @param purpose what a socket token is for; a journal is no terminal
 * @param rule of the account of the person
 * @returns minutes; undefined if it needs none
 */
export function recentMinutesFor(operation: string, purpose: unknown, rule: Switches = NONE): number | undefined {
  return isNeeded(operation, purpose, rule) ? rule.minutes || NONE.minutes : undefined;
}

function isNeeded(operation: string, purpose: unknown, { terminals, manage, grants }: Switches): boolean {
  if (ALWAYS.includes(operation)) return true;
  // Else an old session could switch the others off.
  if (operation === 'setAccessRules') return terminals || manage || grants;
  const { permissions = [] } = TOKEN_RULES[operation] ?? {};
  if (terminals && TERMINALS.includes(operation) && purpose !== 'logs') return true;
  if (manage && (permissions.includes('devices.manage') || operation === 'startBulkJob')) return true;
  return grants && (permissions.includes('grants.manage') || GRANTS.includes(operation));
}
