import { Injectable, Logger } from '@nestjs/common';
import { EventBus } from '@warren/platform/events/event.bus';
import { newEvent } from '@warren/platform/events/event';
import { Fault } from '@warren/platform/errors/fault';
import { serviceCaller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { TunnelsService } from '@warren/proto/tunnels/v1/tunnels';
import type { Holder } from '../broker/claims.ts';
import { Lease } from '../broker/lease.ts';
import { Links } from './links.ts';

/** A little more than a replica waits for the device. */
const ANSWER_MS = 5_000;

interface Newcomer {
  deviceId: string;
  /** The agent's instance id. */
  instance: string;
  publicIp: string;
}

/**
 * Distinguishes a copied device (the same key on two machines) from a device that reconnects. A process that redials has the same
 * instance id. Another process takes the device only if the current holder does not answer a PING: a restarted machine
 * cannot answer in its old process, a second machine can.
 */
@Injectable()
export class Clones {
  private readonly log = new Logger(Clones.name);

  constructor(
    private readonly links: Links,
    private readonly lease: Lease,
    private readonly bus: EventBus,
    @InjectRpc(TunnelsService) private readonly replicas: RpcClient<typeof TunnelsService>,
  ) {}

  /**
   * @param holder the last replica that claimed the device
   * @throws Fault `already_exists` for a second machine
   */
  async refuse(
    newcomer: Newcomer,
    { accountId, name }: { accountId: string; name: string },
    holder: Holder | undefined,
  ): Promise<void> {
    if (!newcomer.instance || !(await this.isHeldByAnother(newcomer, holder))) return;
    const { deviceId, publicIp } = newcomer;
    this.log.warn({ device: deviceId, account: accountId, from: publicIp }, 'Two machines use one identity.');
    const event = newEvent({ accountId, kind: { case: 'deviceCloned', value: { deviceId, publicIp } } });
    // A lost event is published again at the next dial.
    await this.bus.publish(event).catch(() => {});
    throw new Fault('already_exists', `Two machines use the identity of ${name}: enrol this one again.`);
  }

  private async isHeldByAnother({ deviceId, instance }: Newcomer, holder: Holder | undefined): Promise<boolean> {
    const here = this.links.get(deviceId);
    if (here?.alive) return isOther(here.instance, instance) && (await here.answers()) !== undefined;
    if (!holder || holder.replica === this.lease.replica || !isOther(holder.instance, instance)) return false;
    const options = { instance: holder.replica, timeoutMs: ANSWER_MS };
    // A replica that died does not answer, nor does one that lost the device.
    const asked = this.replicas.pingDevice(serviceCaller('tunnels'), { deviceId }, options);
    return asked.then(
      () => true,
      () => false,
    );
  }
}

/** Older agents have no instance id, and are always replaced. */
function isOther(known: string, newcomer: string): boolean {
  return known !== '' && known !== newcomer;
}
