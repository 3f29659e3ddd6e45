import { faultText } from '@warren/platform/errors/error.text';
import { Fault } from '@warren/platform/errors/fault';
import { RelayFailed } from '@warren/transport/relay';
import { UpgradeFailed } from '@warren/transport/upgrade';
import { ConnectFailed, type ConnectProblem } from '../links/connect.ts';
import type { WebPage } from './web.page.ts';
import { REFUSALS, type WebRefusal } from './web.refusals.ts';
import { isUnavailable } from './web.sessions.ts';

interface Names {
  name: string;
  hub: string;
  address: string;
}

/** What people are told of a request that could not be answered. */
export function refusalFor(error: unknown, names: Names, page: WebPage | undefined): WebRefusal {
  const where = page?.localHost ?? 'its port';
  const connection = connectionProblem(error);
  if (connection) return CONNECTIONS[connection](names, where);
  if (error instanceof RelayFailed || error instanceof UpgradeFailed)
    return error.kind === 'slow' ? REFUSALS.slow(names) : REFUSALS.broken(names);
  if (isUnavailable(error)) return REFUSALS.down();
  if (error instanceof Fault && error.code !== 'internal') return REFUSALS.withdrawn(names, faultText(error));
  return { ...REFUSALS.down(), status: 500, code: 'internal', text: 'Something went wrong on our side.' };
}

const CONNECTIONS: Record<ConnectProblem, (names: Names, where: string) => WebRefusal> = {
  refused: REFUSALS.closed,
  timeout: REFUSALS.slow,
  not_allowed: REFUSALS.notAllowed,
  busy: REFUSALS.busy,
  unsupported: REFUSALS.outdated,
  gone: REFUSALS.offline,
};

function connectionProblem(error: unknown): ConnectProblem | undefined {
  for (let at = error, depth = 0; at instanceof Error && depth < 4; at = at.cause, depth++)
    if (at instanceof ConnectFailed) return at.problem;
  return undefined;
}
