import { desktop as text } from '../../../lib/messages/desktop.ts';
import type { DesktopStatus } from '../../../sockets/desktop/types.ts';

/** The user's text for each state (specification, sections 4 and 8). */
export function statusText({ state, problem }: DesktopStatus, device: string): string {
  if (state !== 'disconnected') return text[state];
  return problem ? text.problems[problem](device) : text.disconnected(device);
}

/** good: the desktop is shown; wait: it will connect by itself; bad: it is not; over: the user left. */
export type Tone = 'good' | 'wait' | 'bad' | 'over';

export function tone({ state, retryAt, clean }: DesktopStatus): Tone {
  if (state === 'connected') return 'good';
  if (state !== 'disconnected' || retryAt !== undefined) return 'wait';
  return clean ? 'over' : 'bad';
}
