import { z } from 'zod';
import { deviceText } from './facts.ts';
import { TERMINAL_LIMITS } from './terminals.ts';

/** Bounds of access requests and of the rules about them. Times in minutes, unless named otherwise. */
export const ACCESS_REQUEST_LIMITS = {
  shortest: 15,
  longest: 7 * 24 * 60,
  reason: 500,
  note: 500,
  openPerPerson: 10,
  /** Of a person in 24 hours, since each one mails the approvers. */
  dailyPerPerson: 30,
  openPerAccount: 200,
  /** Hours until a request expires if nobody decides. */
  hours: 24,
  /** Days that ended requests are kept. */
  keptDays: 90,
  /** Approvers who get a mail. */
  mailed: 50,
} as const;

/** How old a sign-in may be that an account asks for, in minutes. */
export const RECENT_SIGN_IN_LIMITS = { shortest: 5, longest: 24 * 60, default: 15 } as const;

/** The rules of an account that has set none. */
export const DEFAULT_ACCESS_RULES = {
  requests: false,
  longestMinutes: 8 * 60,
  approverGroupId: '',
  secondApprover: false,
  recentSignIn: { minutes: RECENT_SIGN_IN_LIMITS.default, terminals: false, manage: false, grants: false },
  guestLinks: false,
  terminalPinDays: TERMINAL_LIMITS.defaultPinDays,
  observeTerminals: false,
} as const;

/** How long access is asked for. The account's own maximum may be shorter. */
export const requestMinutes = minutesWithin(ACCESS_REQUEST_LIMITS);

/** How old a sign-in may be. */
export const recentMinutes = minutesWithin(RECENT_SIGN_IN_LIMITS);

/** Why somebody asks for access. */
export const requestReason = deviceText(ACCESS_REQUEST_LIMITS.reason).trim().min(1, 'expected a reason');

/** What an approver says about a decision. */
export const requestNote = deviceText(ACCESS_REQUEST_LIMITS.note).trim();

function minutesWithin({ shortest, longest }: { shortest: number; longest: number }) {
  const expected = `expected ${shortest} to ${longest} minutes`;
  return z.int(expected).min(shortest, expected).max(longest, expected);
}
