import type { Unreachable } from '../link/plain.ts';

export const ADVICE_ON_ADDRESS =
  'Give this device a network and a default route (ip route); if one of its networks has no way out, remove its route.';

export function adviceOnName(host: string, codes: string[]): string {
  if (codes.includes('EAI_AGAIN')) return 'Check the network and the name servers of this device in /etc/resolv.conf.';
  return `Compare ${host} with the address of the hub, and ask the name server of this device: getent hosts ${host}.`;
}

export function adviceOnTcp(
  { host, port, proxy }: { host: string; port: string; proxy: boolean },
  codes: string[],
): string {
  const what = proxy ? 'the proxy' : 'the hub';
  if (codes.includes('ECONNREFUSED'))
    return `Start ${what}, or correct its address: ${host} does not listen at port ${port}.`;
  return `Let connections of this device to ${host} port ${port} through the firewall, or set a proxy: warren-agent set proxy <address>.`;
}

export function adviceOnProxy(status: number | undefined, hub: string): string {
  if (status === 407)
    return 'Set a user and password that the proxy takes: warren-agent set proxy http://user:password@host:port.';
  if (status === 403 || status === 405) return `Have the proxy allow connections (CONNECT) to ${hub}.`;
  if (status !== undefined) return `Look at the log of the proxy: it can't connect to ${hub}.`;
  return 'Check that the address is that of an HTTP proxy, and set it again: warren-agent set proxy <address>.';
}

const UNKNOWN_AUTHORITY: ReadonlySet<string> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
]);

export function adviceOnTls({ codes, clocksAgree, silent }: Unreachable, host: string): string {
  if (clocksAgree) return `Renew the certificate of ${host}, or set the clock of the hub.`;
  if (codes.some((code) => code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID'))
    return 'Set the clock of this device (timedatectl set-ntp true); if it is right, renew the certificate of the hub.';
  if (codes.includes('ERR_TLS_CERT_ALTNAME_INVALID'))
    return `Have the hub show a certificate for ${host}, or sign in where this network asks for it first.`;
  if (codes.some((code) => UNKNOWN_AUTHORITY.has(code)))
    return 'Add the authority that signed the certificate to those of this system, or install again with WARREN_CA, its file.';
  if (silent) return 'See MTU below, and whether a firewall on the way inspects or blocks TLS.';
  return `Check that ${host} is the hub, and that nothing on the way replaces or blocks TLS.`;
}

export const ADVICE_ON_CLOCK = 'Set the clock of this device: timedatectl set-ntp true.';

export const ADVICE_ON_MTU =
  'Have the routers on the way pass ICMP "fragmentation needed", or lower the MTU of this device, for example ip link set dev eth0 mtu 1280.';

export function adviceOnUpgrade(status: number | undefined): string {
  if (status === 429 || status === 503) return 'Wait, and look at the hub: it takes no devices now.';
  return 'Have the proxies in front of the hub pass the headers Connection, Upgrade and Authorization of /agent/connect.';
}

export const ADVICE_ON_KEY = 'Enrol this device again: warren-agent uninstall, then a new line from the console.';
