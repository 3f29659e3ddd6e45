import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Posted {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** A receiver of webhooks in this process, on a free port of loopback. It keeps what comes, and answers as tests choose. */
export class HookServer {
  readonly posted: Posted[] = [];
  /** Answers a request; 200 if not given. */
  answer: (response: ServerResponse, posted: Posted) => unknown = (response) => response.end('ok');
  private readonly server: Server;

  constructor() {
    this.server = createServer((request, response) => {
      // Its sender may break it off.
      this.take(request, response).catch(() => response.destroy());
    });
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Answers with a status from now on. */
  status(code: number, headers: Record<string, string> = {}, body = ''): void {
    this.answer = (response) => response.writeHead(code, headers).end(body);
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** What came on a path. */
  on(path: string): Posted[] {
    return this.posted.filter((one) => one.path === path);
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const posted = { path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks).toString('utf8') };
    this.posted.push(posted);
    this.answer(response, posted);
  }
}
