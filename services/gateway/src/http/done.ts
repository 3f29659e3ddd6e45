import { z } from 'zod';

/** The response of a change without other data. */
export const doneSchema = z
  .object({ msg: z.string().meta({ description: 'For people.', examples: ['successfully done'] }) })
  .meta({ id: 'Done' });

/** Returns `{msg}`. */
export function done(msg: string): z.output<typeof doneSchema> {
  return { msg };
}
