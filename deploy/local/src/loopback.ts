import { isIPv4, isIPv6 } from 'node:net';

/** Tells whether an address is reachable only from this machine. */
export function isLoopback(host: string): boolean {
  if (isIPv4(host)) return host.startsWith('127.');
  if (isIPv6(host)) return host === '::1';
  return host === 'localhost';
}
