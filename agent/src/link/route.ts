import { getProxyForUrl } from 'proxy-from-env';
import { authorityPaths } from '../config.ts';
import { trustSystemAuthorities } from '../system/authorities.ts';
import { FollowedProxy } from './attempt.ts';

/** The route to the hub: direct, or through an HTTP proxy (CONNECT, RFC 9110, section 9.3.6). */
export interface Route {
  /** For `http.request`; `false` opens a separate connection straight to the hub. */
  agent: FollowedProxy | false;
  /** The proxy's host and port, without the credentials in its address. */
  proxy: string | undefined;
}

/**
 * The route set by HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY, in lower or upper case. TLS connections trust the system's
 * authorities.
 */
export function routeTo(hub: string): Route {
  const proxy = getProxyForUrl(hub);
  if ([hub, proxy].some((address) => address.startsWith('https:'))) trustSystemAuthorities(authorityPaths());
  if (!proxy) return { agent: false, proxy: undefined };
  return { agent: new FollowedProxy(proxy), proxy: new URL(proxy).host };
}
