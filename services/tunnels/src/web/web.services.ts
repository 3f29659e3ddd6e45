import { DeviceHosts } from '@warren/platform/http/device.host';
import { HttpHost, WebPermission, type FindWebPageResponse, DevicesService } from '@warren/proto/devices/v1/devices';
import { isIPv6 } from 'node:net';
import { Inject, Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import { EventFollower } from '@warren/platform/events/event.follower';
import { serviceCaller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { LRUCache } from 'lru-cache';

/** Injects the DeviceHosts of this installation. */
export const WEB_HOSTS = Symbol('WebHosts');

/** The web service of a device: its public address, and where it listens on the device. */
export interface WebService {
  slug: string;
  deviceId: string;
  accountId: string;
  /** How people call the device. */
  name: string;
  enabled: boolean;
  /** On the device. */
  ip: string;
  port: number;
  publicOrigin: string;
  publicHost: string;
  localOrigin: string;
  localHost: string;
  /** Whether the device's server sees its local name, as from a browser on the device. */
  tellLocal: boolean;
  /** The Permissions-Policy that takes from the page what is not switched on for the device. */
  denied: string;
  /** Names under which the device knows itself, lower case, without port. */
  ownNames: ReadonlySet<string>;
}

/** @param found answer of the devices service; the device's own report in it is untrusted */
export function webService(slug: string, found: FindWebPageResponse, hosts: DeviceHosts): WebService {
  const name = isIPv6(found.ip) ? `[${found.ip}]` : found.ip;
  const localHost = found.port === 80 ? name : `${name}:${found.port}`;
  const hostname = found.hostname.toLowerCase();
  const privateIp = isIPv6(found.privateIp) ? `[${found.privateIp}]` : found.privateIp;
  const own = [name, 'localhost', '127.0.0.1', '[::1]', privateIp, hostname, `${hostname}.local`];
  return {
    slug,
    deviceId: found.deviceId,
    accountId: found.accountId,
    name: found.name,
    enabled: found.enabled,
    ip: found.ip,
    port: found.port,
    localHost,
    localOrigin: `http://${localHost}`,
    publicHost: hosts.hostOf(slug),
    publicOrigin: hosts.originOf(slug),
    tellLocal: found.host !== HttpHost.PUBLIC,
    denied: deniedTo(found.permissions),
    ownNames: new Set(own.filter((text) => text !== '' && text !== '.local')),
  };
}

const FEATURES: Partial<Record<WebPermission, string>> = {
  [WebPermission.CLIPBOARD_READ]: 'clipboard-read',
  [WebPermission.CAMERA]: 'camera',
  [WebPermission.MICROPHONE]: 'microphone',
  [WebPermission.GEOLOCATION]: 'geolocation',
};

function deniedTo(permissions: readonly WebPermission[]): string {
  const denied = Object.entries(FEATURES).filter(([permission]) => !permissions.includes(Number(permission)));
  return denied.map(([, feature]) => `${feature}=()`).join(', ');
}

/**
 * An absolute address that names the device itself, as people outside must be given it; anything else as it is.
 * @param value of `Location`, `Content-Location` or the like
 */
export function publicUrl(value: string, page: WebService): string {
  const found = /^(?:(https?):)?\/\/([^/?#]*)(.*)$/is.exec(value);
  const [, scheme = 'http', authority = '', rest = ''] = found ?? [];
  if (!found || !URL.canParse(`${scheme}://${authority}`)) return value;
  const { hostname, port, username } = new URL(`${scheme}://${authority}`);
  if (username !== '') return value;
  const usual = scheme.toLowerCase() === 'https' ? 443 : 80;
  const isLocal = page.ownNames.has(hostname) && Number(port || usual) === page.port;
  if (isLocal || isPublic(hostname, port, page)) return `${page.publicOrigin}${rest}`;
  return value;
}

/** Also with another scheme or port: servers behind a proxy often lose these. */
function isPublic(hostname: string, port: string, page: WebService): boolean {
  const [name = '', publicPort = ''] = page.publicHost.split(':');
  return hostname === name && (port === '' || port === publicPort || Number(port) === page.port);
}

const KNOWN_MS = 10_000;
const UNKNOWN_MS = 3_000;
const MAX_KNOWN = 20_000;

/** Where web addresses lead, from the devices service; remembered for a moment, and forgotten when a device changes. */
@Injectable()
export class WebServices implements OnModuleInit, OnModuleDestroy {
  private readonly known = new LRUCache<string, { page: WebService | undefined }>({ max: MAX_KNOWN, ttl: KNOWN_MS });
  private readonly slugs = new LRUCache<string, string>({ max: MAX_KNOWN });
  private readonly asked = new Map<string, Promise<WebService | undefined>>();
  private stop: (() => void) | undefined;

  constructor(
    @InjectRpc(DevicesService) private readonly devices: RpcClient<typeof DevicesService>,
    private readonly events: EventFollower,
    @Inject(WEB_HOSTS) private readonly hosts: DeviceHosts,
  ) {}

  onModuleInit(): void {
    this.stop = this.events.follow(({ kind }) => {
      if (kind.case === 'deviceChanged' || kind.case === 'deviceDeleted') this.forget(kind.value.deviceId);
    });
  }

  onModuleDestroy(): void {
    this.stop?.();
  }

  /** What is known without asking; undefined when it must be asked for. */
  peek(slug: string): WebService | undefined {
    return this.known.get(slug)?.page;
  }

  /**
   * @returns undefined if no device has the address
   * @throws Fault `unavailable` if the devices service does not answer
   */
  async find(slug: string): Promise<WebService | undefined> {
    const known = this.known.get(slug);
    if (known) return known.page;
    let asking = this.asked.get(slug);
    if (!asking) {
      asking = this.ask(slug).finally(() => this.asked.delete(slug));
      this.asked.set(slug, asking);
    }
    return asking;
  }

  /** The same, asked now. */
  async refresh(slug: string): Promise<WebService | undefined> {
    this.known.delete(slug);
    this.asked.delete(slug);
    return this.find(slug);
  }

  private forget(deviceId: string): void {
    const slug = this.slugs.get(deviceId);
    if (slug === undefined) return;
    this.known.delete(slug);
    // A pending answer may be older than the change.
    this.asked.delete(slug);
  }

  private async ask(slug: string): Promise<WebService | undefined> {
    const page = await this.answer(slug);
    this.known.set(slug, { page }, page ? {} : { ttl: UNKNOWN_MS });
    if (page) this.slugs.set(page.deviceId, slug);
    return page;
  }

  private async answer(slug: string): Promise<WebService | undefined> {
    try {
      return webService(slug, await this.devices.findWebPage(serviceCaller('tunnels'), { slug }), this.hosts);
    } catch (error) {
      if (error instanceof Fault && error.code === 'not_found') return undefined;
      throw error;
    }
  }
}
