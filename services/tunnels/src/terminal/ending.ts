import { TerminalRefusal, type TerminalRefused } from '@warren/proto/agent/v1/agent';
import type { RefusalCode } from './messages.ts';

/** How an attachment ended. `lost`: the link or its stream broke, and the terminal may live on at the agent. */
export type Ending =
  | { kind: 'exit'; code: number; signal: string }
  | { kind: 'refused'; reason: string; code: RefusalCode }
  | { kind: 'lost'; reason: string }
  | { kind: 'detached' };

/** How a terminal ends on request: its programs lose their controlling terminal. */
export const ENDED: Ending = { kind: 'exit', code: 0, signal: 'SIGHUP' };

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
