import { Code, ConnectError } from '@connectrpc/connect';
import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  TerminalRefusal,
  type ChangeTerminalRequest,
  type ChangeTerminalResponseSchema,
} from '@warren/proto/agent/v1/agent';
import * as z from 'zod';
import { TerminalRefused } from '../errors.ts';
import { parseRequest } from '../request.ts';
import { infoOf } from './list.ts';
import { person, session } from './messages.ts';
import type { TerminalRegistry } from './registry.ts';

const NAME_MAX = 64;
/** In UTF-16 units; a character has two at most. */
const NAME_UNITS = 2 * NAME_MAX;

const change = person.extend({
  session,
  name: z
    .string()
    .max(NAME_UNITS, `expected at most ${NAME_MAX} characters`)
    .regex(/^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]*$/u, 'has a control character')
    .refine((text) => Array.from(text).length <= NAME_MAX, `expected at most ${NAME_MAX} characters`)
    .optional(),
  pinS: z.int().min(0).optional(),
});

/**
 * Names or pins a terminal of a person.
 * @throws ConnectError `invalid_argument`; `not_found` when this person has no such terminal; `failed_precondition` with the reason when it
 *   can't be pinned
 */
export async function changeTerminal(
  registry: TerminalRegistry,
  request: ChangeTerminalRequest,
): Promise<MessageInitShape<typeof ChangeTerminalResponseSchema>> {
  const { limits } = registry;
  const longest = Math.floor(limits.longestPin / 1000);
  const bounded = change.extend({ pinS: change.shape.pinS.pipe(z.number().max(longest).optional()) });
  const { session: id, userId, userEmail, name, pinS } = parseRequest(bounded, request);
  try {
    const pin = pinS === undefined ? undefined : pinS * 1000;
    return { terminal: await infoOf(registry.change(id, { userId, userEmail, name, pin }), limits) };
  } catch (error) {
    if (!(error instanceof TerminalRefused)) throw error;
    throw new ConnectError(
      error.message,
      error.code === TerminalRefusal.GONE ? Code.NotFound : Code.FailedPrecondition,
    );
  }
}
