import type { IncomingMessage } from 'node:http';
import * as z from 'zod';
import type { HubClock } from './clock.ts';
import { parseRetryAfter } from './backoff.ts';
import type { Step } from './plain.ts';

const ANSWER_MAX = 4096;
const answerSchema = z.object({ message: z.string().max(500), code: z.string().max(64).optional() });

/** The hub, or a proxy before it, answered a dial with a status instead of a link. */
export class DialRefused extends Error {
  override name = 'DialRefused';
  readonly status: number;
  /** Milliseconds to wait, if the response names them. */
  readonly retryAfter: number | undefined;
  /** True when the response corrected the agent's clock, so that the next token may be valid. */
  readonly clockLearned: boolean;

  /** The machine-readable reason, when the hub itself answered. */
  readonly code: string | undefined;

  /** The hub itself, not a proxy before it, reports that the device does not exist. */
  readonly deleted: boolean;
  /** This machine may enrol as a separate device. */
  readonly separates: boolean;

  constructor(
    status: number,
    message: string,
    more: { retryAfter?: number | undefined; clockLearned?: boolean; code?: string | undefined } = {},
  ) {
    super(message);
    this.status = status;
    this.retryAfter = more.retryAfter;
    this.clockLearned = more.clockLearned ?? false;
    this.code = more.code;
    this.deleted = status === 404 && more.code === 'not_found';
    this.separates = status === 409 && more.code === 'failed_precondition';
  }

  /** The step that failed; undefined when the way is fine and the hub is busy or not ready. */
  get step(): Step | undefined {
    if (this.status === 401 && this.clockLearned) return 'clock';
    if ([401, 404, 409, 410].includes(this.status)) return 'key';
    return this.status === 429 || this.status === 503 ? undefined : 'upgrade';
  }

  /** Only a person can resolve it. */
  get lasting(): boolean {
    return [401, 403, 404, 409, 410].includes(this.status);
  }

  /** The hub itself decided, or is down: another transport would not help. */
  get final(): boolean {
    return [401, 404, 409, 410, 429, 503].includes(this.status);
  }
}

/** Parses the response to a refused dial; its untrusted text is limited. */
export async function readRefusal(response: IncomingMessage, clock: HubClock): Promise<DialRefused> {
  const { statusCode = 0, headers } = response;
  const clockLearned = clock.learn(headers.date);
  const answer = await readAnswer(response);
  const message = answer?.message ?? `the hub answered ${statusCode} ${response.statusMessage ?? ''}`.trim();
  const retryAfter = parseRetryAfter(headers['retry-after'], clock.now());
  return new DialRefused(statusCode, message, { retryAfter, clockLearned, code: answer?.code });
}

async function readAnswer(response: IncomingMessage): Promise<z.infer<typeof answerSchema> | undefined> {
  let text = '';
  try {
    response.setEncoding('utf8');
    for await (const piece of response) {
      text += piece as string;
      if (text.length > ANSWER_MAX) break;
    }
    return answerSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  } finally {
    response.destroy();
  }
}
