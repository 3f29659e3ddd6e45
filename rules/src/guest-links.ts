import { z } from 'zod';
import { deviceText } from './facts.ts';

/** Bounds of guest links. Times in minutes, unless named otherwise. */
export const GUEST_LINK_LIMITS = {
  shortest: 5,
  longest: 7 * 24 * 60,
  default: 60,
  uses: 20,
  pinShortest: 4,
  pinLongest: 12,
  /** Wrong PINs after which a link lets nobody else in. */
  wrongPins: 5,
  name: 64,
  perDevice: 10,
  perAccount: 100,
  /** Days that ended links are kept. */
  keptDays: 30,
} as const;

/** What a link can open. */
export const GUEST_PURPOSES = ['terminal', 'desktop', 'web'] as const;
export type GuestPurpose = (typeof GUEST_PURPOSES)[number];

const { shortest, longest, uses, pinShortest, pinLongest } = GUEST_LINK_LIMITS;
const expectedMinutes = `expected ${shortest} to ${longest} minutes`;
const expectedUses = `expected 1 to ${uses} guests`;

/** Minutes until a link expires. */
export const guestMinutes = z.int(expectedMinutes).min(shortest, expectedMinutes).max(longest, expectedMinutes);

/** How many guests a link lets in. */
export const guestUses = z.int(expectedUses).min(1, expectedUses).max(uses, expectedUses);

/** What a guest types besides the link. */
export const guestPin = z
  .string()
  .regex(new RegExp(`^\\d{${pinShortest},${pinLongest}}$`), `expected ${pinShortest} to ${pinLongest} digits`);

/** What a guest calls themselves. */
export const guestName = deviceText(GUEST_LINK_LIMITS.name).trim().min(1, 'expected your name');
