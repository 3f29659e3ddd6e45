import type { ConnectProblem } from '../links/connect.ts';

const TEXTS: Record<ConnectProblem, (device: string) => string> = {
  refused: (device) => `No VNC server answers on ${device}.`,
  timeout: (device) => `The VNC server of ${device} did not answer in time.`,
  not_allowed: (device) => `The VNC address that is set for ${device} is not one of its own.`,
  busy: (device) => `${device} has as many connections open as it may.`,
  unsupported: (device) => `The agent of ${device} is too old to show its desktop.`,
  gone: (device) => `The connection to ${device} broke.`,
};

/** Why there is no desktop, for people. */
export function problemText(problem: ConnectProblem, device: string): string {
  return TEXTS[problem](device);
}
