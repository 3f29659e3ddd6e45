import type { Terminal } from '@warren/proto/tunnels/v1/tunnels';
import { z } from 'zod';
import { isoTime, timeSchema, yesNo, yesNoSchema } from '../http/schemas.ts';

/** A session's id, as the device made it. */
export const sessionSchema = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[\w-]+$/, 'expected the id of a terminal')
  .meta({ description: 'As listed.', examples: ['7f6dbf3c-3ac1-4c8e-9c93-5b0f6a1c2d3e'] });

const terminalSchema = z
  .object({
    session: sessionSchema,
    started_at: timeSchema,
    used_at: timeSchema.describe('Time of the last input, attach or detach.'),
    attached: yesNoSchema.describe('Whether a page shows it now.'),
    cols: z.int(),
    rows: z.int(),
    command: z.string().describe('What runs in the foreground; empty when the device can not say.'),
  })
  .meta({ id: 'Terminal' });

export const terminalListSchema = z
  .object({ terminals: z.array(terminalSchema) })
  .meta({ id: 'TerminalList', description: 'Oldest first.' });

export function terminalJson(terminal: Terminal): z.output<typeof terminalSchema> {
  const { session, startedAt, usedAt, attached, cols, rows, command } = terminal;
  const times = { started_at: isoTime(startedAt), used_at: isoTime(usedAt) };
  return { session, ...times, attached: yesNo(attached), cols, rows, command };
}
