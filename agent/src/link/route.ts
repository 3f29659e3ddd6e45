import { HttpsProxyAgent } from 'https-proxy-agent';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { getProxyForUrl } from 'proxy-from-env';

/** The way to the hub: straight, or through an HTTP proxy that is asked for a connection (CONNECT, RFC 9110, section 9.3.6). */
export interface Route {
  /** For `http.request`; `false` is a connection of its own, straight to the hub. */
  agent: HttpsProxyAgent<string> | false;
  /** The proxy's host and port, without what may be secret in its address. */
  proxy: string | undefined;
}

/** The route that HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY ask for, small letters or large. */
export function routeTo(hub: string): Route {
  const proxy = getProxyForUrl(hub);
  if (!proxy) return { agent: false, proxy: undefined };
  return { agent: new HttpsProxyAgent(proxy), proxy: new URL(proxy).host };
}

/** Has `told` called when the proxy, and not the hub, answered `request`. */
export function onProxyRefusal(request: ClientRequest, told: (status: number) => void): void {
  // An event of the proxy's agent, which Node's types don't know.
  const proxied = request as unknown as {
    once(name: 'proxyConnect', listener: (answer: IncomingMessage) => void): void;
  };
  proxied.once('proxyConnect', ({ statusCode = 0 }) => {
    if (statusCode !== 200) told(statusCode);
  });
}
