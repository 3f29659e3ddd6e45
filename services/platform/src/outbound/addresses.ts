import { lookup } from 'node:dns/promises';
import { BlockList, isIP, isIPv4 } from 'node:net';
import { networkInterfaces } from 'node:os';
import { DeliveryError } from './delivery.error.ts';

export interface Address {
  address: string;
  family: 4 | 6;
}

/** Resolves a host name to all of its addresses. */
export type Resolve = (host: string) => Promise<readonly { address: string }[]>;

export interface AddressOptions {
  /** Networks that are allowed although they are not part of the Internet, as CIDR. */
  allowed: readonly string[];
  /** The hub's public origin. */
  hub: string;
  resolve?: Resolve;
}

/** All networks: for a URL that the operator sets. */
export const EVERY_NETWORK = ['0.0.0.0/0', '::/0'];

/** IPv4 besides the Internet: IANA's special-purpose registry, multicast, and what is reserved. */
const SPECIAL_V4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
  ...['224.0.0.0/4', '240.0.0.0/4'],
];
/** All global unicast of IPv6 is in here. */
const GLOBAL_V6 = '2000::/3';
/** Inside of that: protocol assignments such as Teredo, documentation, and 6to4, which leads to any address of IPv4. */
const SPECIAL_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

const special = listOf([...SPECIAL_V4, ...SPECIAL_V6]);
const global6 = listOf([GLOBAL_V6]);

/** Decides which addresses receivers that people choose may have: those of the Internet that are not the hub's own, and those that the operator allows. */
export class Addresses {
  private readonly allowed: BlockList;
  private readonly hubHost: string;
  private readonly resolve: Resolve;

  constructor({ allowed, hub, resolve = (host) => lookup(host, { all: true, verbatim: true }) }: AddressOptions) {
    this.allowed = listOf(allowed);
    this.hubHost = hostOf(new URL(hub));
    this.resolve = resolve;
  }

  /**
   * Resolves the host of a URL once. The caller connects to what this returns, and resolves nothing itself: a name that leads elsewhere the
   * next time it is asked for gains nothing.
   * @throws DeliveryError for a host that does not resolve, or leads where receivers may not be, in any of its addresses
   */
  async pick(url: URL): Promise<Address> {
    const host = hostOf(url);
    const found = (await this.addressesOf(host)).map(plain);
    const [first] = found;
    if (!first) throw new DeliveryError('The host name does not resolve.');
    const own = await this.own();
    for (const address of found)
      if (!this.isAllowed(address) && (!isPublic(address) || own.has(address.address) || host === this.hubHost))
        throw new DeliveryError('The URL leads to an address that the hub does not connect to.');
    if (url.protocol !== 'https:' && !found.every((address) => this.isAllowed(address)))
      throw new DeliveryError('The URL has to begin with https.');
    return first;
  }

  private isAllowed({ address, family }: Address): boolean {
    return this.allowed.check(address, family === 4 ? 'ipv4' : 'ipv6');
  }

  /** Of this machine, and of the hub's public name. */
  private async own(): Promise<Set<string>> {
    const ours = Object.values(networkInterfaces()).flatMap((some) => some ?? []);
    const hub = await this.addressesOf(this.hubHost).catch(() => []);
    return new Set([...ours, ...hub].map((one) => plain(one).address));
  }

  private async addressesOf(host: string): Promise<readonly { address: string }[]> {
    if (isIP(host)) return [{ address: host }];
    try {
      return await this.resolve(host);
    } catch {
      throw new DeliveryError('The host name does not resolve.');
    }
  }
}

/** Without the brackets of IPv6, and the dot at the end of a full name. */
function hostOf({ hostname }: URL): string {
  return hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
}

/** An address of IPv4 that is written as one of IPv6 is one of IPv4 (RFC 4291, 2.5.5.2); a zone names an interface of this machine. */
function plain({ address }: { address: string }): Address {
  const [bare = ''] = address.split('%');
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)?.[1] ?? hexMapped(bare);
  const text = mapped ?? bare;
  return { address: text, family: isIPv4(text) ? 4 : 6 };
}

/** `::ffff:7f00:1`, as URLs have it. */
function hexMapped(address: string): string | undefined {
  const [, high, low] = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/i.exec(address) ?? [];
  if (high === undefined || low === undefined) return undefined;
  const bytes = [high, low].flatMap((part) => [parseInt(part, 16) >> 8, parseInt(part, 16) & 255]);
  return bytes.join('.');
}

function isPublic({ address, family }: Address): boolean {
  if (family === 4) return !special.check(address, 'ipv4');
  return global6.check(address, 'ipv6') && !special.check(address, 'ipv6');
}

function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    list.addSubnet(address, Number(bits), isIPv4(address) ? 'ipv4' : 'ipv6');
  }
  return list;
}
