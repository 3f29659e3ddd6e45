import { EXIT } from './errors.ts';
import type { Enrolment } from './state/enrolment.ts';
import type { LinkStatus } from './state/status.ts';

const REFUSED_NEXT =
  'It keeps asking, ever more seldom. To enrol it again: warren-agent uninstall, then a new line from the console.';

/** The dial's steps in words. */
const WAITS_FOR: Record<NonNullable<LinkStatus['step']>, string> = {
  name: 'name: resolving it',
  connection: 'connection: waiting for the other side to accept',
  proxy: 'proxy: waiting for its answer',
  TLS: 'TLS: the handshake',
  upgrade: "upgrade: waiting for the hub's answer",
};

/**
 * Describes the link in one line, with the exit code of `warren-agent status`.
 * @param now milliseconds since 1970
 */
export function statusInWords(
  status: LinkStatus | undefined,
  enrolment: Enrolment,
  now: number,
): { text: string; exit: number } {
  const device = `device ${enrolment.device_id} of ${enrolment.account_name}, hub ${enrolment.hub}`;
  if (!status) return { text: `Not running: ${device}.`, exit: EXIT.failed };
  if (status.state === 'connected') return { text: `Connected since ${status.since}: ${device}.`, exit: 0 };
  const dial = dialInWords(status, now);
  if (status.refused)
    return { text: `Refused by the hub (${status.problem}): ${device}. ${REFUSED_NEXT}`, exit: EXIT.refused };
  const { problem } = status;
  if (problem === undefined) return { text: `Not connected (${dial ?? status.state}): ${device}.`, exit: EXIT.failed };
  return { text: `Not connected (${problem}): ${device}.${dial ? ` Now ${dial}.` : ''}`, exit: EXIT.failed };
}

function dialInWords({ state, step, step_since: since, next_dial: next }: LinkStatus, now: number): string | undefined {
  if (state === 'waiting')
    return next && `waiting: the next attempt begins in ${Math.max(0, Math.ceil((Date.parse(next) - now) / 1000))} s`;
  if (!step) return undefined;
  return `dialling: ${WAITS_FOR[step]}${since ? ` for ${Math.max(0, Math.round((now - Date.parse(since)) / 1000))} s` : ''}`;
}
