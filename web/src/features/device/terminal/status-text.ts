import { messages } from '../../../lib/messages.ts';
import { terminals } from '../../../lib/messages/terminals.ts';
import type { TerminalStatus } from '../../../sockets/terminal/types.ts';

const text = messages.terminal;

/** The user's text for each state (specification, section 8). */
export function statusText({ state, asking }: TerminalStatus, device: string): string {
  if (asking) return terminals.asking;
  switch (state) {
    case 'connecting':
      return text.connecting;
    case 'wait':
      return text.wait(device);
    case 'connected':
      return text.connected;
    case 'fail':
      return text.fail(device);
    case 'error':
      return text.error;
    case 'disconnected':
      return text.disconnected(device);
    case 'client_disconnect':
      return text.clientDisconnect(device);
    case 'exit':
      return text.exit;
  }
}

/** The reason in one line; empty when there is nothing to add. */
export function statusReason({ reason, exit }: TerminalStatus): string {
  if (exit?.signal) return text.exitSignal(exit.signal);
  if (exit && exit.code !== null) return text.exitCode(exit.code);
  return reason ?? '';
}

/** good: input reaches the shell; wait: it will; bad: it does not; over: the shell has ended normally. */
export type Tone = 'good' | 'wait' | 'bad' | 'over';

export function tone({ state, retryAt }: TerminalStatus): Tone {
  if (state === 'connected') return 'good';
  if (state === 'connecting' || state === 'wait' || retryAt !== undefined) return 'wait';
  return state === 'exit' ? 'over' : 'bad';
}
