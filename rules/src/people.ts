import { z } from 'zod';

export const PERSON_NAME_MAX = 200;

/** Neither control nor invisible formatting characters, but for the joiners that spell Persian and Indic names, and emoji. */
const PRINTABLE = /^(?:[\u200c\u200d]|[^\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}])*$/u;

/** How a person is called: any letters, 1 to 200 characters on one line. */
export const personName = z
  .string('The name is required')
  .trim()
  .min(1, 'The name is required')
  .max(PERSON_NAME_MAX, `At most ${PERSON_NAME_MAX} characters.`)
  .regex(PRINTABLE, 'Invalid character');
