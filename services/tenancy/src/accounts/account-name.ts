import { z } from 'zod';

/** An account's name: letters, digits and spaces (spec section 5), 1 to 100 characters, no space at either end. */
export const accountNameSchema = z
  .string()
  .trim()
  .max(100, 'expected at most 100 characters')
  .regex(/^[\p{L}\p{M}\p{N} ]+$/u, 'expected letters, digits and spaces');
