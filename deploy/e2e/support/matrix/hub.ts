import { Agent, request, type IncomingMessage } from 'node:http';

/** An answer of the hub. `body` is the JSON, or the text of anything else; a stream is not read. */
export interface Answer {
  status: number;
  body: unknown;
}

/** A request as it goes out; `body` is JSON text. */
export interface Request {
  method: string;
  path: string;
  body?: string | undefined;
  /** Names the request in logs and in the audit trail. */
  requestId?: string;
}

/** The last part of the last loopback address that calls come from. */
const LAST_CALLER = 254;

/** The hub's REST interface, called as the console does: from its own origin, with a person's cookie. */
export class Hub {
  readonly origin: string;
  private readonly agent = new Agent({ keepAlive: true });
  /** The last part of the loopback address that calls come from. */
  private caller = 2;

  constructor(origin: string) {
    this.origin = origin;
  }

  /**
   * Public calls have a rate limit per address. The many people of a test share a machine, so they take its addresses in turn.
   * @param credential the cookie of a session, or an API token; undefined for an anonymous call
   */
  async call(credential: string | undefined, asked: Request): Promise<Answer> {
    const response = await this.send(credential, asked);
    const status = response.statusCode ?? 0;
    if (status !== 429) return { status, body: await read(response) };
    response.resume();
    this.caller += 1;
    // A limit that no other address mends.
    if (this.caller > LAST_CALLER) throw new Error(`${asked.method} ${asked.path}: 429 for every address`);
    return this.call(credential, asked);
  }

  /** @throws with the answer when it is not 2xx */
  async must<T>(cookie: string | undefined, method: string, path: string, data?: unknown): Promise<T> {
    const body = data === undefined ? undefined : JSON.stringify(data);
    const answer = await this.call(cookie, { method, path, body });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body as T;
  }

  private send(credential: string | undefined, { method, path, body, requestId }: Request): Promise<IncomingMessage> {
    const { port, host } = new URL(this.origin);
    const headers = {
      host,
      ...headersOf(credential, this.origin),
      ...(requestId && { 'x-request-id': requestId }),
      ...(body !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
    };
    const from = { localAddress: `127.0.0.${this.caller}`, agent: this.agent };
    return new Promise((resolve, reject) => {
      const send = () => {
        const sent = request({ host: '127.0.0.1', port, method, path, headers, ...from }, resolve);
        // The hub may close an idle connection at the moment it is used again; then it has read nothing.
        sent.once('error', (error: NodeJS.ErrnoException) =>
          sent.reusedSocket && error.code === 'ECONNRESET' ? send() : reject(error),
        );
        sent.end(body);
      };
      send();
    });
  }
}

/** A browser's headers; a program with a token sends neither a cookie nor an origin. */
function headersOf(credential: string | undefined, origin: string): Record<string, string> {
  if (credential?.startsWith('wrn_')) return { authorization: `Bearer ${credential}` };
  return { origin, 'sec-fetch-site': 'same-origin', ...(credential && { cookie: credential }) };
}

async function read(response: IncomingMessage): Promise<unknown> {
  const type = response.headers['content-type'] ?? '';
  if (type.startsWith('text/event-stream')) {
    response.destroy();
    return undefined;
  }
  const parts: Buffer[] = [];
  for await (const part of response as AsyncIterable<Buffer>) parts.push(part);
  const text = Buffer.concat(parts).toString();
  return type.startsWith('application/json') ? JSON.parse(text) : text;
}
