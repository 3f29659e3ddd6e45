import { BlockList, isIP, isIPv6, SocketAddress } from 'node:net';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** RFC 1918, 3927, 4193, 4291 and 6598: addresses with a meaning within one network only. */
const local = new BlockList();
local.addSubnet('10.0.0.0', 8, 'ipv4');
local.addSubnet('100.64.0.0', 10, 'ipv4');
local.addSubnet('172.16.0.0', 12, 'ipv4');
local.addSubnet('192.168.0.0', 16, 'ipv4');
local.addSubnet('169.254.0.0', 16, 'ipv4');
local.addSubnet('fc00::', 7, 'ipv6');
local.addSubnet('fe80::', 10, 'ipv6');

/**
 * Whether an address is on the device itself: its loopback or its private address. Any other would make the device a gateway into
 * its network.
 * @param address an IPv4 or IPv6 address
 * @param own the address that the device reports, or empty
 */
export function isOnDevice(address: string, own: string): boolean {
  if (isIP(address) === 0) return false;
  if (loopback.check(address, familyOf(address))) return true;
  return isIP(own) !== 0 && canonical(address) === canonical(own) && local.check(address, familyOf(address));
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4';
}

function canonical(address: string): string {
  return new SocketAddress({ address, family: familyOf(address) }).address;
}
