import { renderPage, type Page } from '@warren/platform/http/page';
import { refuse } from '@warren/platform/http/refuse';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { faultText } from '@warren/platform/errors/error.text';
import { Fault } from '@warren/platform/errors/fault';
import { RelayFailed } from '@warren/transport/relay';
import { UpgradeFailed } from '@warren/transport/upgrade';
import { ConnectFailed, type ConnectProblem } from '../links/connect.ts';
import type { WebService } from './web.services.ts';
import { isUnavailable } from './web.sessions.ts';

/** Why a web service is refused, for people and for programs. */
export interface WebRefusal extends Page {
  status: number;
  code: string;
  retryAfter?: number;
}

type Names = { name: string; hub: string; address: string };

const again = (hub: string, address: string) => [
  { href: `${hub}/device/web/${address}`, label: 'Open from Warren', target: '_top' as const },
];
const reload = [{ href: '', label: 'Try again' }];

/** What can be in the way, each with its own status. */
export const REFUSALS = {
  offline: ({ name }: Names): WebRefusal => ({
    status: 503,
    code: 'unavailable',
    retryAfter: 5,
    title: 'Device offline',
    links: reload,
    text: `${name} is not connected to Warren now. This page works again when it is back.`,
  }),
  off: ({ name, hub }: Names): WebRefusal => ({
    status: 403,
    code: 'permission_denied',
    title: 'Web service off',
    links: [{ href: hub, label: 'To Warren', target: '_top' }],
    text: `The web service of ${name} is turned off. An administrator of Warren can turn it on.`,
  }),
  closed: ({ name }: Names, where: string): WebRefusal => ({
    status: 502,
    code: 'failed_precondition',
    title: 'Nothing is listening',
    links: reload,
    text: `Nothing answers at ${where} on ${name}. Start the program there, or choose another port.`,
  }),
  notAllowed: ({ name }: Names, where: string): WebRefusal => ({
    status: 502,
    code: 'failed_precondition',
    title: 'Not an address of the device',
    links: [],
    text: `The agent of ${name} does not connect to ${where}: it is neither loopback nor an address of the device.`,
  }),
  broken: ({ name }: Names): WebRefusal => ({
    status: 502,
    code: 'unavailable',
    title: 'No proper answer',
    links: reload,
    text: `The program on ${name} closed the connection or did not answer in HTTP.`,
  }),
  slow: ({ name }: Names): WebRefusal => ({
    status: 504,
    code: 'deadline_exceeded',
    title: 'No answer in time',
    links: reload,
    text: `The program on ${name} took too long to answer.`,
  }),
  busy: ({ name }: Names): WebRefusal => ({
    status: 503,
    code: 'resource_exhausted',
    retryAfter: 2,
    title: 'Too many connections',
    links: reload,
    text: `Too many connections to ${name} are open. Close a tab, or try again in a moment.`,
  }),
  full: (_names: Names, reason: string): WebRefusal => ({
    status: 409,
    code: 'quota_reached',
    title: 'Quota reached',
    links: reload,
    text: reason,
  }),
  outdated: ({ name }: Names): WebRefusal => ({
    status: 502,
    code: 'failed_precondition',
    title: 'Agent too old',
    links: [],
    text: `The agent of ${name} is too old to show web services. Install it again.`,
  }),
  down: (): WebRefusal => ({
    status: 503,
    code: 'unavailable',
    retryAfter: 2,
    title: 'Not available',
    links: reload,
    text: 'A part of Warren that this needs does not answer now. Try again in a moment.',
  }),
  signedOut: ({ hub, address }: Names): WebRefusal => ({
    status: 401,
    code: 'unauthenticated',
    title: 'Not signed in',
    links: again(hub, address),
    text: 'This view has ended, or was never opened here. Open it again from Warren.',
  }),
  spent: ({ hub, address }: Names): WebRefusal => ({
    status: 403,
    code: 'permission_denied',
    title: 'Address used or too old',
    links: again(hub, address),
    text: 'The address that led here works once, for a minute, in the browser that asked for it.',
  }),
  withdrawn: ({ hub, address }: Names, reason: string): WebRefusal => ({
    status: 403,
    code: 'permission_denied',
    title: 'Not allowed',
    links: again(hub, address),
    text: reason,
  }),
  noCookies: ({ hub, address }: Names): WebRefusal => ({
    status: 400,
    code: 'failed_precondition',
    title: 'Cookies are needed',
    links: again(hub, address),
    text: 'Your browser did not keep the cookie that opens this page. Allow cookies for this address and open it again.',
  }),
  foreign: (_names: Names): WebRefusal => ({
    status: 403,
    code: 'permission_denied',
    title: 'Another site asked',
    links: [],
    text: 'Only the device’s own pages may send it requests. Other sites may link to it.',
  }),
  malformed: (): WebRefusal => ({
    status: 400,
    code: 'invalid_argument',
    title: 'Not understood',
    links: [],
    text: 'The request is for no path of this host.',
  }),
} as const;

/** Whether a person opens an address, which can be opened again elsewhere. */
export function isNavigation(request: IncomingMessage): boolean {
  return (request.method === 'GET' || request.method === 'HEAD') && isShown(request);
}

/** Whether the answer is for a person who looks at it, such as that to a form, rather than for a program. */
function isShown({ headers }: IncomingMessage): boolean {
  const mode = headers['sec-fetch-mode'];
  return mode === undefined ? (headers.accept ?? '').includes('text/html') : mode === 'navigate';
}

/** Answers with a page, or with the error's JSON where no person is looking. */
export function answerRefusal(
  request: IncomingMessage,
  response: ServerResponse,
  refusal: WebRefusal,
  hub: string,
): void {
  const { status, code, text, retryAfter } = refusal;
  if (response.headersSent || response.destroyed) return void response.destroy();
  const person = isShown(request);
  const body = person
    ? renderPage(shownIn(request, refusal))
    : JSON.stringify({ statusCode: status, code, message: text });
  response.writeHead(status, {
    'Content-Type': person ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    'Content-Security-Policy': `default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self' ${hub}`,
    'X-Content-Type-Options': 'nosniff',
    ...(retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) }),
    // What is left of its body is not read.
    ...(request.complete ? {} : { Connection: 'close' }),
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}

/** A frame may not leave the console, so what would replace the console opens beside it. */
function shownIn({ headers }: IncomingMessage, page: Page): Page {
  if (headers['sec-fetch-dest'] !== 'iframe') return page;
  const links = page.links.map((link) => (link.target === '_top' ? { ...link, target: '_blank' as const } : link));
  return { ...page, links };
}

export function refuseUpgrade(socket: Duplex, { status, code, text, retryAfter }: WebRefusal): void {
  refuse(socket, { status, code, message: text, retryAfter });
}

/** Words a failed request for people. */
export function refusalFor(error: unknown, names: Names, page: WebService | undefined): WebRefusal {
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
