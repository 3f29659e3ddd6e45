import { Injectable } from '@nestjs/common';
import { ReplicaDirectory, type Replica } from '@warren/platform/broker/directory';
import { Fault } from '@warren/platform/errors/fault';
import { serviceCaller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { IdentityService } from '@warren/proto/identity/v1/identity';
import { z } from 'zod';
import { GivenTokens } from './given.tokens.ts';

/** A replica to ask, and the device that it is asked for. */
export interface Destination {
  address: string;
  deviceId?: string;
}

const KNOWN_MS = 500;
const RETRY_S = 1;

const socketQuery = z.object({ token: z.string().min(16).max(256) });

/** Which tunnels replica a connection goes to. */
@Injectable()
export class Destinations {
  private known: { at: number; replicas: Promise<Replica[]> } | undefined;
  /** Connections brought to a replica since its load was last read. */
  private readonly brought = new Map<string, number>();

  constructor(
    @InjectRpc(IdentityService) private readonly identity: RpcClient<typeof IdentityService>,
    private readonly directory: ReplicaDirectory,
    private readonly given: GivenTokens,
  ) {}

  /**
   * The replica that holds the device of a socket token; for an offline device any, which can say so.
   * @throws Fault `unauthenticated` without a good token, `unavailable` when nobody can say or no replica lives
   */
  async ofSocket(query: string): Promise<Destination> {
    const parsed = socketQuery.safeParse(Object.fromEntries(new URLSearchParams(query)));
    if (!parsed.success) throw new Fault('unauthenticated', 'The socket needs a token in its query.');
    const { token } = parsed.data;
    const given = this.given.take(token);
    const { deviceId } = given ?? (await this.peek(token));
    return { deviceId, address: given?.address ?? (await this.ofDevice(deviceId)) };
  }

  /** The replica that holds a device now, or any. */
  async ofDevice(deviceId: string): Promise<string> {
    const location = await this.directory.locate(deviceId).catch((cause: unknown) => {
      throw new Fault('unavailable', 'The directory of devices does not answer.', { cause, retryAfter: RETRY_S });
    });
    return location?.address ?? (await this.leastLoaded()).address;
  }

  /**
   * Where a dialling agent goes: the less loaded of two that are picked at random, so that many gateways don't crowd one.
   * @param not an address that was tried; it comes again only when there is no other
   */
  async ofAgent(not?: string): Promise<Destination> {
    return { address: (await this.leastLoaded(not)).address };
  }

  private async peek(token: string): Promise<{ deviceId: string }> {
    try {
      return await this.identity.peekSocketToken(serviceCaller('gateway'), { token });
    } catch (error) {
      const refused =
        error instanceof Fault && ['permission_denied', 'not_found', 'unauthenticated'].includes(error.code);
      if (refused) throw new Fault('unauthenticated', 'The socket token is unknown, used or too old.');
      throw error;
    }
  }

  private async leastLoaded(not?: string): Promise<Replica> {
    const taking = (await this.replicas()).filter(({ draining }) => !draining);
    const others = taking.filter(({ address }) => address !== not);
    const open = others.length > 0 ? others : taking;
    const one = open[Math.floor(Math.random() * open.length)];
    const other = open[Math.floor(Math.random() * open.length)];
    if (!one || !other) throw new Fault('unavailable', 'No tunnels replica is up.', { retryAfter: RETRY_S });
    const chosen = this.loadOf(one) <= this.loadOf(other) ? one : other;
    this.brought.set(chosen.id, (this.brought.get(chosen.id) ?? 0) + 1);
    return chosen;
  }

  private loadOf({ id, load }: Replica): number {
    return load + (this.brought.get(id) ?? 0);
  }

  private async replicas(): Promise<Replica[]> {
    if (!this.known || performance.now() - this.known.at > KNOWN_MS) {
      this.known = { at: performance.now(), replicas: this.directory.liveReplicas() };
      this.brought.clear();
    }
    try {
      return await this.known.replicas;
    } catch (cause) {
      this.known = undefined;
      throw new Fault('unavailable', 'The directory of devices does not answer.', { cause, retryAfter: RETRY_S });
    }
  }
}
