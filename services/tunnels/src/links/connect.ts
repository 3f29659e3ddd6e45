import { once } from 'node:events';
import { constants, type ClientHttp2Stream, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http2';
import { isIPv6 } from 'node:net';
import { TooManyStreams, type StreamOpener } from './link.guard.ts';

/** A server on the device's side. */
export interface ConnectTarget {
  /** `localhost`, a loopback address, or an address of the device itself; the agent refuses all others. */
  host: string;
  port: number;
  /** E-mail of the user, for the device's log; absent if it serves several. */
  user?: string;
}

/**
 * Why a connection failed. `refused`: nothing listens there. `timeout`: the server did not accept, or the agent did not answer, in
 * time. `not_allowed`: the target is outside the agent's device. `busy`: too many are open. `unsupported`: the agent is too old.
 * `gone`: the link broke.
 */
export type ConnectProblem = 'refused' | 'timeout' | 'not_allowed' | 'busy' | 'unsupported' | 'gone';

/** A connection that the agent refused or failed to open. */
export class ConnectFailed extends Error {
  override name = 'ConnectFailed';

  constructor(
    readonly problem: ConnectProblem,
    options?: ErrorOptions,
  ) {
    super(`The device did not connect: ${problem}.`, options);
  }
}

/** Longer than an agent waits for the server. */
const ANSWER_MS = 8_000;

/** The meaning of the agent's status (docs/agent-protocol.md, 'A connection'). */
const PROBLEMS: Readonly<Record<number, ConnectProblem>> = {
  400: 'not_allowed',
  403: 'not_allowed',
  404: 'unsupported',
  405: 'unsupported',
  502: 'refused',
  503: 'busy',
  504: 'timeout',
};

/**
 * Makes the agent connect to a server on its device (RFC 9113, section 8.5).
 * @returns the raw connection, with half-close; destroying it resets the far side
 * @throws ConnectFailed
 */
export async function connectThrough(
  session: StreamOpener,
  { host, port, user }: ConnectTarget,
): Promise<ClientHttp2Stream> {
  if (session.closed || session.destroyed) throw new ConnectFailed('gone');
  const authority = `${isIPv6(host) ? `[${host}]` : host}:${port}`;
  const who = user === undefined ? {} : { 'warren-user': encodeURIComponent(user) };
  const stream = begin(session, { ':method': 'CONNECT', ':authority': authority, ...who });
  // Until its owner listens, errors must not crash the process.
  stream.on('error', () => {});
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), ANSWER_MS);
  stream.once('close', () => late.abort());
  try {
    const [headers] = (await once(stream, 'response', { signal: late.signal })) as [IncomingHttpHeaders];
    const status = Number(headers[':status']);
    if (status === 200) return stream;
    throw new ConnectFailed(PROBLEMS[status] ?? 'unsupported');
  } catch (cause) {
    const answered = cause instanceof ConnectFailed;
    const problem = stream.closed || session.destroyed ? 'gone' : 'timeout';
    stream.close(constants.NGHTTP2_CANCEL);
    throw answered ? cause : new ConnectFailed(problem, { cause });
  } finally {
    clearTimeout(timer);
  }
}

function begin(session: StreamOpener, headers: OutgoingHttpHeaders): ClientHttp2Stream {
  try {
    return session.request(headers, { endStream: false });
  } catch (cause) {
    throw new ConnectFailed(cause instanceof TooManyStreams ? 'busy' : 'gone', { cause });
  }
}
