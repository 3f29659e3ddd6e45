import type { ObservableTerminal, Terminal, TerminalCapacity } from '@warren/proto/tunnels/v1/tunnels';
import { terminalName, terminalPinDays, TERMINAL_LIMITS } from '@warren/rules/terminals';
import { z } from 'zod';
import { done, doneSchema } from '../http/done.ts';
import { isoTime, timeSchema, yesNo, yesNoSchema } from '../http/schemas.ts';
import { FLEET } from '../http/example.fleet.ts';

/** A session's id, as the device made it. */
export const sessionSchema = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[\w-]+$/, 'expected the id of a terminal')
  .meta({ description: 'As listed.', examples: ['7f6dbf3c-3ac1-4c8e-9c93-5b0f6a1c2d3e'] });

const { name: nameMax, pinDays: daysMax } = TERMINAL_LIMITS;
const memorySchema = z
  .object({ bytes: z.int(), limit: z.int() })
  .describe('Memory of the buffers of its output: what they take now, and at most.');

const EXAMPLE = {
  session: '7f6dbf3c-3ac1-4c8e-9c93-5b0f6a1c2d3e',
  name: 'nightly build',
  started_at: FLEET.at,
  used_at: FLEET.at,
  attached: 'No',
  cols: 80,
  rows: 24,
  command: 'make',
  pin_days: 3,
  unpinnable: null,
  ends_in: 259_200,
  memory: { bytes: 65_536, limit: 1_048_576 },
};

const terminalSchema = z
  .object({
    session: sessionSchema,
    name: z.string().describe('What its user calls it; may be empty.'),
    started_at: timeSchema,
    used_at: timeSchema.describe('Time of the last input, attach or detach.'),
    attached: yesNoSchema.describe('Whether a page shows it now.'),
    cols: z.int(),
    rows: z.int(),
    command: z.string().describe('What runs in the foreground; empty when the device can not say.'),
    pin_days: z.int().describe('Days that it is kept while detached; 0 if it is not pinned.'),
    unpinnable: z.string().nullable().describe('Why it can not be pinned; null if it can.'),
    ends_in: z.int().nullable().describe('Seconds until it ends unless a page attaches; null while one is attached.'),
    memory: memorySchema.nullable().describe('Null from an older agent.'),
  })
  .meta({
    id: 'Terminal',
    examples: [EXAMPLE],
  });

const capacitySchema = z
  .object({
    terminals: z.int().describe('Terminals of all users on the device, at most.'),
    pinned: z.int().describe('Your pinned terminals on the device, at most.'),
    memory: z.int().describe('Bytes of memory that the buffers of all terminals take at most.'),
    pin_days: z
      .int()
      .nullable()
      .describe('Days that the account lets a terminal be pinned; 0: not at all. Null if that is not known now.'),
  })
  .meta({ examples: [{ terminals: 32, pinned: 8, memory: 33_554_432, pin_days: 7 }] });

const observableSchema = z
  .object({
    owner: z.string().describe('E-mail address of the person whose terminal it is.'),
    terminal: terminalSchema,
  })
  .meta({ id: 'ObservableTerminal', examples: [{ owner: 'max@acme.example', terminal: EXAMPLE }] });

export const terminalListSchema = z
  .object({
    terminals: z.array(terminalSchema),
    observable: z
      .array(observableSchema)
      .describe(
        'Terminals of others that you may observe without their consent now: the account allows it, and their owners are there.',
      ),
    capacity: capacitySchema.nullable().describe('Null if the agent is too old to name and pin terminals.'),
  })
  .meta({ id: 'TerminalList', description: 'Oldest first.' });

/** What is left out stays as it is. */
export const changeTerminalBody = z
  .strictObject({
    name: terminalName.optional().describe(`At most ${nameMax} printable characters; empty removes the name.`),
    pin_days: terminalPinDays
      .optional()
      .describe(`Days that it is kept while detached, up to ${daysMax} and what the account allows; 0 unpins it.`),
  })
  .refine(({ name, pin_days: days }) => name !== undefined || days !== undefined, 'expected name or pin_days')
  .meta({ id: 'ChangeTerminal', examples: [{ name: 'nightly build', pin_days: 3 }] });
export type ChangeTerminalBody = z.output<typeof changeTerminalBody>;

export const terminalChangedSchema = doneSchema.extend({ result: terminalSchema }).meta({ id: 'TerminalChanged' });

export function terminalJson(terminal: Terminal): z.output<typeof terminalSchema> {
  const { session, startedAt, usedAt, attached, cols, rows, command, name, pinDays, leftS } = terminal;
  const times = { started_at: isoTime(startedAt), used_at: isoTime(usedAt) };
  return {
    session,
    name,
    ...times,
    attached: yesNo(attached),
    cols,
    rows,
    command,
    pin_days: pinDays,
    unpinnable: terminal.unpinnable || null,
    ends_in: leftS ?? null,
    memory: terminal.memoryLimit > 0n ? memoryJson(terminal) : null,
  };
}

/** None for a message without a terminal, which no tunnels sends. */
export function observableJson({ ownerEmail, terminal }: ObservableTerminal): z.output<typeof observableSchema>[] {
  return terminal ? [{ owner: ownerEmail, terminal: terminalJson(terminal) }] : [];
}

export function capacityJson(capacity: TerminalCapacity | undefined): z.output<typeof capacitySchema> | null {
  if (!capacity) return null;
  const { terminals, pinned, memory, pinDays } = capacity;
  return { terminals, pinned, memory: Number(memory), pin_days: pinDays ?? null };
}

export const terminalChanged = (terminal: Terminal) => ({
  ...done('terminal successfully changed'),
  result: terminalJson(terminal),
});

const memoryJson = ({ memory, memoryLimit }: Terminal) => ({ bytes: Number(memory), limit: Number(memoryLimit) });
