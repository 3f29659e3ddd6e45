import { z } from 'zod';

/** The answer of a change that has nothing else to tell. */
export const doneSchema = z.object({ msg: z.string().describe('For people.') }).meta({ id: 'Done' });

/** `{msg}`. */
export function done(msg: string): z.output<typeof doneSchema> {
  return { msg };
}
