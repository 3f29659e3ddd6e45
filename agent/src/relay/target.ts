import net, { BlockList, isIPv4, isIPv6 } from 'node:net';
import { networkInterfaces, type NetworkInterfaceInfo } from 'node:os';

/** A target on this device that the hub may connect to. */
export interface Target {
  /** Addresses to try, in this order. */
  addresses: string[];
  port: number;
}

/** A target that the hub may not connect to. */
export class TargetRefused extends Error {
  override name = 'TargetRefused';
  readonly kind: 'invalid' | 'not_allowed';

  constructor(kind: TargetRefused['kind'], message: string) {
    super(message);
    this.kind = kind;
  }
}

/** Servers that listen on only one of the two are common. */
const LOCALHOST = ['127.0.0.1', '::1'];

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/**
 * Resolves `authority` to loopback or to an address of this device. No request of the hub makes the agent a way into the network
 * around the device. Names other than `localhost` are not resolved: a DNS answer could point anywhere.
 * @param authority `host:port`, an IPv6 address in brackets (RFC 9113, section 8.5; RFC 3986, section 3.2)
 * @param interfaces this device's, now
 * @throws TargetRefused
 */
export function targetOf(
  authority: string,
  interfaces: () => NodeJS.Dict<NetworkInterfaceInfo[]> = networkInterfaces,
): Target {
  const [, bracketed, plain, digits] = /^(?:\[([^\]]{2,45})\]|([^:[\]]{1,255})):(\d{1,5})$/.exec(authority) ?? [];
  const host = bracketed ?? plain ?? '';
  const port = Number(digits);
  if (!host || !(port >= 1 && port <= 65_535)) {
    throw new TargetRefused('invalid', `${JSON.stringify(authority)} is no address with a port from 1 to 65535`);
  }
  if (host.toLowerCase() === 'localhost') return { addresses: LOCALHOST, port };
  if (!net.isIP(host)) throw new TargetRefused('not_allowed', `${host} is a name; expected localhost or an address`);
  if (has(loopback, host) || has(own(interfaces()), host)) return { addresses: [host], port };
  throw new TargetRefused('not_allowed', `${host} is not this device: expected loopback or one of its own addresses`);
}

function has(list: BlockList, address: string): boolean {
  return list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}

function own(interfaces: NodeJS.Dict<NetworkInterfaceInfo[]>): BlockList {
  const list = new BlockList();
  for (const info of Object.values(interfaces).flatMap((infos) => infos ?? [])) {
    list.addAddress(info.address, isIPv4(info.address) ? 'ipv4' : 'ipv6');
  }
  return list;
}
