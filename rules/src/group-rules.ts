import { z } from 'zod';

/**
 * Bounds of the rules by which groups of identity providers map to groups of an account: rules of an account, characters of a group's name
 * or id at the provider, and how many groups, with how many characters together, are read from one sign-in.
 */
export const GROUP_RULE_LIMITS = { perAccount: 200, value: 256, received: 1_000, characters: 200_000 } as const;

const VALUE = `expected the name or id of a group at the provider, 1 to ${GROUP_RULE_LIMITS.value} characters`;

/** What a provider calls a group: compared as it is, without the spaces around it. */
export const providerGroup = z
  .string(VALUE)
  .trim()
  .min(1, VALUE)
  .max(GROUP_RULE_LIMITS.value, VALUE)
  .regex(/^[^\p{Cc}\p{Cs}]*$/u, VALUE);
