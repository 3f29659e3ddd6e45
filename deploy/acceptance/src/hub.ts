import { request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';

const PATIENCE_MS = 10_000;
const TEXT_MAX = 1 << 20;

/** A response, whose text is cut at 1 MiB. */
export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

export interface Question {
  method?: 'GET' | 'POST';
  /** The public name of the request; defaults to the hub's. */
  host?: string;
  headers?: Record<string, string>;
  body?: string;
}

/** Sends requests like an ingress: to an internal server, with the public name and https as the forwarded protocol. */
export class Hub {
  readonly gateway: string;
  readonly host: string;
  private readonly cookies = new Map<string, string>();

  constructor(gateway: string, host: string) {
    this.gateway = gateway;
    this.host = host;
  }

  get origin(): string {
    return `https://${this.host}`;
  }

  /** Headers that an ingress adds to a request. */
  get forwarded(): Record<string, string> {
    return { host: this.host, 'x-forwarded-proto': 'https' };
  }

  /** Sends a request to the gateway with its cookies. @throws Error unless the status is `wanted` */
  async ask(path: string, wanted: number, question: Question = {}): Promise<Answer> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { ...(cookie && { cookie }), origin: this.origin, ...question.headers };
    const answer = await this.at(`${this.gateway}${path}`, { ...question, headers });
    for (const line of answer.headers['set-cookie'] ?? []) this.keep(line);
    return expectStatus(answer, wanted);
  }

  async json<T>(path: string, wanted = 200, body?: object): Promise<T> {
    const sent = body && ({ method: 'POST', body: JSON.stringify(body) } as const);
    const headers = { 'content-type': 'application/json' };
    return JSON.parse((await this.ask(path, wanted, { ...sent, headers })).text) as T;
  }

  /** Sends a request to an internal server, with the hub's name or another. */
  at(url: string, { method = 'GET', host = this.host, headers = {}, body }: Question = {}): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const asked = request(url, { method, headers: { ...this.forwarded, ...headers, host }, timeout: PATIENCE_MS });
      asked.once('response', (response) => take(response).then(resolve, reject));
      asked.once('upgrade', (response, socket) => {
        socket.destroy();
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text: '' });
      });
      asked.once('timeout', () => asked.destroy(new Error(`${url}: no answer in ${PATIENCE_MS / 1_000} s`)));
      asked.on('error', reject);
      asked.end(body);
    });
  }

  private keep(line: string): void {
    const [name = '', value = ''] = line.split(';', 1)[0]?.split('=', 2) ?? [];
    if (/max-age=0|expires=thu, 01 jan 1970/i.test(line)) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}

async function take(response: IncomingMessage): Promise<Answer> {
  let text = '';
  response.setEncoding('utf8');
  for await (const part of response) if (text.length < TEXT_MAX) text += part as string;
  return { status: response.statusCode ?? 0, headers: response.headers, text };
}

/** @throws Error with the actual response */
export function expectStatus(answer: Answer, ...wanted: number[]): Answer {
  if (wanted.includes(answer.status)) return answer;
  throw new Error(`expected ${wanted.join(' or ')}, got ${answer.status}: ${answer.text.slice(0, 300)}`);
}
