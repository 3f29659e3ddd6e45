import { getProxyForUrl } from 'proxy-from-env';
import { authorityPaths } from '../config.ts';
import { trustSystemAuthorities } from '../system/authorities.ts';
import { FollowedProxy } from './attempt.ts';

/** The way to the hub: straight, or through an HTTP proxy that is asked for a connection (CONNECT, RFC 9110, section 9.3.6). */
export interface Route {
  /** For `http.request`; `false` opens a separate connection straight to the hub. */
  agent: FollowedProxy | false;
  /** The proxy's host and port, without what may be secret in its address. */
  proxy: string | undefined;
}

/**
 * The route that HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY ask for, small letters or large. Where TLS is on it, the system's
 * authorities are trusted.
 */
export function routeTo(hub: string): Route {
  const proxy = getProxyForUrl(hub);
  if ([hub, proxy].some((address) => address.startsWith('https:'))) trustSystemAuthorities(authorityPaths());
  if (!proxy) return { agent: false, proxy: undefined };
  return { agent: new FollowedProxy(proxy), proxy: new URL(proxy).host };
}
