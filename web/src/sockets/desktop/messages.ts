import { withoutPrefix } from '../../lib/api/errors.ts';
import type { DesktopProblem } from './types.ts';

const SAID_BY_HUB: readonly string[] = [
  ...[
    'offline',
    'refused',
    'timeout',
    'not_allowed',
    'busy',
    'unsupported',
    'gone',
    'withdrawn',
    'invalid',
    'unrecorded',
  ],
];

const record = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

const words = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** `vnc_status`: whether a desktop is available, and if not, why. */
export function decodeStatus(message: unknown): { success: boolean; code: DesktopProblem; error: string | undefined } {
  const { success, code, error } = record(message);
  const known = typeof code === 'string' && SAID_BY_HUB.includes(code);
  return { success: success === true, code: known ? (code as DesktopProblem) : 'hub', error: words(error) };
}

/** `client_disconnect`: whether the VNC server closed it, or the hub, as it must be recorded; otherwise the connection to it broke. */
export function decodeEnd(message: unknown): {
  ended: boolean;
  problem: 'gone' | 'unrecorded';
  reason: string | undefined;
} {
  const { code, reason } = record(message);
  return { ended: code === 'ended', problem: code === 'unrecorded' ? code : 'gone', reason: words(reason) };
}

/** `connect_error`: why the hub refused the socket. */
export function decodeRefusal(error: unknown): { code: string; reason: string | undefined } {
  const { message, data } = record(error);
  const reason = data === undefined ? undefined : words(message);
  return { code: words(record(data)['code']) ?? '', reason: reason && withoutPrefix(reason) };
}
