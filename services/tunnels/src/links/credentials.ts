import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import { Fault } from '@warren/platform/errors/fault';
import { serviceCaller } from '@warren/platform/rpc/caller';
import type { RpcClient } from '@warren/platform/rpc/types';
import { DevicesService, type DeviceCredential } from '@warren/proto/devices/v1/devices';
import { LRUCache } from 'lru-cache';
import type { ConnectTarget } from './connect.ts';
import { RequestBatcher } from './request.batcher.ts';

/** What the hub knows of a device that may dial. */
export interface Credential {
  /** What the device is now: another one than it says where it took the place of its old entry. */
  deviceId: string;
  /** Ed25519 public key, base64url. As text: what OpenSSL keeps of a key is 6 KB, and a fleet's would be kept for as long as its links. */
  key: string;
  accountId: string;
  sshEnabled: boolean;
  httpEnabled: boolean;
  accountDisabled: boolean;
  /** How people call the device. */
  name: string;
  /** Where on the device its VNC server is. */
  vnc: ConnectTarget;
  /** Of the hardware that may link. Empty: not known for certain, so any may. */
  serial: string;
  /** Serials of machines that become separate devices. */
  separateSerials: readonly string[];
  /** Another machine has or had the key, so the device is to change it. */
  keyShared: boolean;
}

const CACHED_MS = 15_000;
const CACHED_DEVICES = 20_000;
/** Devices asked for in one call, such calls at a time, and the pause after one: a call costs three processes more than a device in it. */
const BATCHING = { batchSize: 200, concurrency: 2, restMs: 40 };

/** Devices' public keys and switches, from the devices service, kept for a moment so that a storm of dials costs little. */
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
    // A change of the device that comes while it is asked for makes the answer too old, and is no failure.
    const known = await this.cache.fetch(deviceId).catch((error: unknown) => {
      if (error instanceof Fault) throw error;
    });
    return known ?? this.ask(deviceId);
  }

  /** The same, asked now. */
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
      ...{ serial, separateSerials, keyShared },
    };
  }

  private async askMany(ids: string[]): Promise<(DeviceCredential | undefined)[]> {
    const deviceIds = [...new Set(ids)];
    const { credentials } = await this.devices.getDeviceCredentials(serviceCaller('tunnels'), { deviceIds });
    const found = new Map(credentials.map((credential) => [credential.deviceId, credential]));
    return ids.map((id) => found.get(id));
  }
}
