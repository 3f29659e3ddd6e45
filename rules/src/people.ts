import { z } from 'zod';
import { PRINTABLE } from './printable.ts';

const PERSON_NAME_MAX = 200;

/** How a person is called: any letters, 1 to 200 characters on one line. */
export const personName = z
  .string('The name is required')
  .trim()
  .min(1, 'The name is required')
  .max(PERSON_NAME_MAX, `At most ${PERSON_NAME_MAX} characters.`)
  .regex(PRINTABLE, 'Invalid character');
