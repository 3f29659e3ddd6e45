import { TerminalRefusal, type TerminalRefused } from '@warren/proto/agent/v1/agent';
import type { AgentLink } from '../links/link.ts';
import { BREACHES, TooManyStreams } from '../links/link.guard.ts';
import type { RefusalCode } from './messages.ts';

/** How an attachment ended. `lost`: the link or its stream broke, and the terminal may live on at the agent. */
export type Ending =
  | { kind: 'exit'; code: number; signal: string }
  | { kind: 'refused'; reason: string; code: RefusalCode }
  | { kind: 'lost'; reason: string }
  | { kind: 'detached' };

/** How a terminal ends on request: its programs lose their controlling terminal. */
export const ENDED: Ending = { kind: 'exit', code: 0, signal: 'SIGHUP' };

/** Why a terminal does not open while the audit trail takes no event. */
export const UNRECORDED: Ending = {
  kind: 'refused',
  reason: 'The hub cannot record the start of a terminal at the moment. Try again in a moment.',
  code: 'failed',
};

const REFUSALS: Record<TerminalRefusal, RefusalCode> = {
  [TerminalRefusal.UNSPECIFIED]: 'failed',
  [TerminalRefusal.GONE]: 'gone',
  [TerminalRefusal.LIMIT]: 'limit',
  [TerminalRefusal.TAKEN_OVER]: 'taken_over',
  [TerminalRefusal.INPUT_FULL]: 'input_full',
  [TerminalRefusal.OFFSET]: 'offset',
  [TerminalRefusal.FULL]: 'full',
  [TerminalRefusal.SCREEN]: 'screen',
};

/** Reads a device's refusal. */
export const refusedBy = ({ reason, code }: Pick<TerminalRefused, 'reason' | 'code'>): Ending => ({
  kind: 'refused',
  reason,
  code: REFUSALS[code] ?? 'failed',
});

/** How a terminal ended whose stream has ended, by itself or with an error. */
export function brokenBy(
  error: Error | undefined,
  { alive, breach }: Pick<AgentLink, 'alive' | 'breach'>,
  opened: boolean,
): Ending {
  if (!error) return { kind: 'lost', reason: 'The device ended the connection to the terminal.' };
  if (error instanceof TooManyStreams) return { kind: 'refused', reason: error.message, code: 'limit' };
  if (breach) return { kind: 'lost', reason: `The hub closed the connection: the device sent ${BREACHES[breach]}.` };
  if (!alive) return { kind: 'lost', reason: 'The connection to the device is gone.' };
  const reason = `The device failed: ${error.message}`;
  return opened ? { kind: 'lost', reason } : { kind: 'refused', reason, code: 'failed' };
}
