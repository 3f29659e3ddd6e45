import { z } from 'zod';

const EXPECTED = 'expected an e-mail address, such as ann@example.com';

/** An e-mail address as Warren keeps it: lower-cased, so that it compares case-insensitively everywhere. */
export function normaliseEmail(text: string): string {
  return text.trim().toLowerCase();
}

/** An address of the simple form a@b.c (spec section 5), lower-cased; 254 characters at most (RFC 5321, 4.5.3.1.3). */
export const emailSchema = z
  .string(EXPECTED)
  .transform(normaliseEmail)
  .pipe(
    z
      .string()
      .max(254, 'expected at most 254 characters')
      .regex(/^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+\.[^\s@.\p{Cc}]+$/u, EXPECTED),
  );
