type Answer = { status?: number; body: unknown; headers?: Record<string, string> };
type Route = (url: URL, request: Request) => Answer;

/** The hub's REST interface at the edge of the network: answers by path, and remembers what was asked. */
export class FakeHub {
  readonly asked: URL[] = [];
  /** Each call as `METHOD /path`. */
  readonly sent: string[] = [];
  private readonly bodies = new Map<string, unknown>();
  private readonly routes: [RegExp, Route][] = [];

  constructor() {
    globalThis.fetch = async (input) => {
      const request = input as Request;
      const url = new URL(request.url);
      this.asked.push(url);
      this.sent.push(`${request.method} ${url.pathname}`);
      const text = await request.clone().text();
      if (text) this.bodies.set(url.pathname, JSON.parse(text));
      const route = this.routes.find(([path]) => path.test(url.pathname));
      const {
        status = 200,
        body,
        headers,
      }: Answer = route
        ? route[1](url, request)
        : { status: 404, body: { statusCode: 404, code: 'not_found', message: `Not found: ${url.pathname}` } };
      return new Response(JSON.stringify(body), {
        status,
        headers: { 'content-type': 'application/json', ...headers },
      });
    };
  }

  /** Answers a path; a later answer for the same path replaces an earlier one. */
  on(path: RegExp, route: Route): this {
    this.routes.unshift([path, route]);
    return this;
  }

  /** The last body that was sent to a path. */
  lastBody(path: string): unknown {
    return this.bodies.get(path);
  }

  /** The last query that was sent to a path. */
  lastQuery(path: string): Record<string, string> | undefined {
    const url = this.asked.findLast((one) => one.pathname === path);
    return url && Object.fromEntries(url.searchParams);
  }
}
