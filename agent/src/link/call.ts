import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import * as z from 'zod';
import { EXIT, UserError } from '../errors.ts';
import { Attempt } from './attempt.ts';
import { routeTo } from './route.ts';
import { Unreachable } from './plain.ts';
import { ClockWrong, whyUnreachable } from './unreachable.ts';

const TIMEOUT_MS = 30_000;
const ANSWER_MAX = 64 * 1024;

/** A response of the hub; `body` is its parsed JSON, undefined for other content. */
export interface CallAnswer {
  status: number;
  headers: IncomingMessage['headers'];
  body: unknown;
}

const refused = z.object({ message: z.string().max(500) });

/**
 * A request to the hub whose failure is shown to a person.
 * @returns the status of its response; `require` returns its body, or throws UserError with the hub's reason on another status
 * @throws UserError when the hub can't be reached
 */
export async function postToHub(hub: string, path: string, body: unknown) {
  const answer = await callHub(hub, path, body).catch((error: Error) => {
    const exit = error instanceof ClockWrong ? EXIT.clock : EXIT.unavailable;
    throw new UserError(`can't reach the hub at ${hub}: ${error.message}`, exit);
  });
  const require = (status: number, refusal: string): unknown => {
    if (answer.status === status) return answer.body;
    throw new UserError(
      `${refusal}: ${reasonIn(answer)}`,
      answer.status >= 500 || answer.status === 429 ? EXIT.unavailable : EXIT.refused,
    );
  };
  return { status: answer.status, require };
}

/** The hub's reason, or the status without one. */
export function reasonIn({ body, status }: CallAnswer): string {
  const refusal = refused.safeParse(body);
  return refusal.success ? refusal.data.message : `status ${status}`;
}

/** Options of a request. */
export interface CallOptions {
  /** Follows the request. */
  attempt?: Attempt;
  headers?: Record<string, string>;
  /** The timeout in milliseconds. */
  timeout?: number;
  /** Key agreement offered in the TLS handshake, in the format of `tls.connect`. */
  ecdhCurve?: string;
}

/**
 * Sends one plain request to the hub, outside the link.
 * @throws Unreachable whose message names the step that failed
 */
export async function callHub(
  hub: string,
  path: string,
  body?: unknown,
  { attempt = new Attempt(), headers, timeout = TIMEOUT_MS, ecdhCurve }: CallOptions = {},
): Promise<CallAnswer> {
  const url = new URL(path, hub);
  const { agent, proxy } = routeTo(hub);
  const text = body === undefined ? undefined : JSON.stringify(body);
  const request = (url.protocol === 'https:' ? https : http).request(url, {
    method: text === undefined ? 'GET' : 'POST',
    agent,
    headers: {
      accept: 'application/json',
      ...(text !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    signal: AbortSignal.timeout(timeout),
    ...(ecdhCurve !== undefined && { ecdhCurve }),
  });
  attempt.follow(request);
  const answer = new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', resolve);
    request.on('error', reject);
  });
  request.end(text);
  try {
    const response = await answer;
    if (attempt.refusal !== undefined)
      throw new Unreachable(`proxy: ${proxy} answered ${attempt.refusal}`, 'proxy', []);
    attempt.answered();
    return { status: response.statusCode ?? 0, headers: response.headers, body: parseJson(await readText(response)) };
  } catch (error) {
    throw await whyUnreachable(error, hub, attempt.step);
  } finally {
    request.destroy();
  }
}

async function readText(response: IncomingMessage): Promise<string> {
  let text = '';
  response.setEncoding('utf8');
  for await (const piece of response) {
    text += piece as string;
    if (text.length > ANSWER_MAX) break;
  }
  return text;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
