import { z } from 'zod';

/** The response of a change without other data. */
export const doneSchema = z.object({ msg: z.string().describe('For people.') }).meta({ id: 'Done' });

/** Returns `{msg}`. */
export function done(msg: string): z.output<typeof doneSchema> {
  return { msg };
}
