import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import { Fault } from '@warren/platform/errors/fault';
import { serviceCaller } from '@warren/platform/rpc/caller';
import type { RpcClient } from '@warren/platform/rpc/types';
import { DevicesService, type DeviceCredential } from '@warren/proto/devices/v1/devices';
import { LRUCache } from 'lru-cache';
import type { ConnectTarget } from './connect.ts';
import { RequestBatcher } from './request.batcher.ts';

/** The hub's data on a device that may dial. */
export interface Credential {
  /** The current id: differs from the dialled one if the device replaced an old entry. */
  deviceId: string;
  /** Ed25519 public key, base64url. Text, because an OpenSSL key object takes 6 KB, for each link of a fleet. */
  key: string;
  accountId: string;
  sshEnabled: boolean;
  httpEnabled: boolean;
  accountDisabled: boolean;
  /** The display name. */
  name: string;
  /** The address of the VNC server. */
  vnc: ConnectTarget;
  /** Serial of the permitted hardware; empty if uncertain, so any may link. */
  serial: string;
  /** Serials of machines that become separate devices. */
  separateSerials: readonly string[];
  /** Another machine has or had the key, so the device must rotate it. */
  keyShared: boolean;
}

const CACHED_MS = 15_000;
const CACHED_DEVICES = 20_000;
/** A call costs three processes more than a device in it, so calls pause to batch more. */
const BATCHING = { batchSize: 200, concurrency: 2, restMs: 40 };

/** Public keys and switches of devices, from the devices service, cached briefly so that a storm of dials costs little. */
@Injectable()
export class Credentials implements OnModuleInit, OnApplicationShutdown {
  private readonly cache = new LRUCache<string, Credential>({
    max: CACHED_DEVICES,
    ttl: CACHED_MS,
    fetchMethod: (deviceId) => this.ask(deviceId),
  });

  private readonly batcher = new RequestBatcher((ids: string[]) => this.askMany(ids), BATCHING);
  private purging: NodeJS.Timeout | undefined;

  constructor(@InjectRpc(DevicesService) private readonly devices: RpcClient<typeof DevicesService>) {}

  onModuleInit(): void {
    this.purging = setInterval(() => this.cache.purgeStale(), CACHED_MS).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.purging);
  }

  /** @throws Fault `not_found` for an unknown or deleted device; `unavailable` if the services that know do not answer */
  async get(deviceId: string): Promise<Credential> {
    // A change during the call makes the result stale, which is no failure.
    const known = await this.cache.fetch(deviceId).catch((error: unknown) => {
      if (error instanceof Fault) throw error;
    });
    return known ?? this.ask(deviceId);
  }

  /** Like `get`, without the cache. */
  async refresh(deviceId: string): Promise<Credential> {
    this.cache.delete(deviceId);
    return this.get(deviceId);
  }

  forget(deviceId: string): void {
    this.cache.delete(deviceId);
  }

  private async ask(deviceId: string): Promise<Credential> {
    const found = await this.batcher.get(deviceId);
    if (!found) throw new Fault('not_found', `device ${deviceId}.`);
    const { currentId, accountId, sshEnabled, httpEnabled, accountDisabled, name, vncIp, vncPort } = found;
    const { serial, separateSerials, keyShared } = found;
    return {
      deviceId: currentId || deviceId,
      key: Buffer.from(found.publicKey).toString('base64url'),
      accountId,
      sshEnabled,
      httpEnabled,
      accountDisabled,
      name,
      vnc: { host: vncIp, port: vncPort },
      serial,
      separateSerials,
      keyShared,
    };
  }

  private async askMany(ids: string[]): Promise<(DeviceCredential | undefined)[]> {
    const deviceIds = [...new Set(ids)];
    const { credentials } = await this.devices.getDeviceCredentials(serviceCaller('tunnels'), { deviceIds });
    const found = new Map(credentials.map((credential) => [credential.deviceId, credential]));
    return ids.map((id) => found.get(id));
  }
}
