import { z } from 'zod';
import { PRINTABLE } from './printable.ts';

/** Bounds of names and pins of terminals. */
export const TERMINAL_LIMITS = {
  /** Characters of a name. */
  name: 64,
  /** Days that a detached terminal may be pinned: what an account can allow, and what it allows if it says nothing. */
  pinDays: 30,
  defaultPinDays: 7,
} as const;

const tooLong = `expected at most ${TERMINAL_LIMITS.name} characters`;
const days = `expected a whole number of days, 0 to ${TERMINAL_LIMITS.pinDays}`;

/** What a person calls a terminal; empty for no name. */
export const terminalName = z
  .string()
  .trim()
  // Two UTF-16 units are one character at most.
  .max(2 * TERMINAL_LIMITS.name, tooLong)
  .refine((text) => Array.from(text).length <= TERMINAL_LIMITS.name, tooLong)
  .regex(PRINTABLE, 'expected text without control characters');

/** Days that a detached terminal is kept, or that an account allows; 0: not pinned. */
export const terminalPinDays = z.int(days).min(0, days).max(TERMINAL_LIMITS.pinDays, days);
