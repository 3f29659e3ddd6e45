import { Inject, Injectable } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import type { Upgrade } from '@warren/transport/upgrade';
import { serviceCaller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { IdentityService } from '@warren/proto/identity/v1/identity';
import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import { TUNNELS_CONFIG, type TunnelsConfig } from '../config.ts';
import { OtherReplicas, PASSED } from '../links/other.replicas.ts';
import { socketUpgrades } from '../telemetry/metrics.ts';

const MISDIRECTED = 421;
const BUSY_RETRY_S = 2;
/** The device of a socket that another replica forwards; a hint if a client sends it. */
const FOR_DEVICE = 'warren-device';
/** Meaningless to other replicas, or set again for them. */
const DROPPED = ['cookie', 'forwarded', 'x-real-ip', FOR_DEVICE, PASSED];

const said = z.object({
  token: z.string().min(16).max(256),
  /** A routing hint. The token authorises, so a wrong device here is refused in the end. */
  device: z.uuid().optional().catch(undefined),
});

/** A browser's socket that has arrived at this replica. */
export interface Arrival {
  query: Record<string, string>;
  token: string;
  deviceId: string;
  /** Whether another replica has forwarded it. It is not forwarded again. */
  passed: boolean;
  /** Whether the token is known to be valid. */
  proven: boolean;
}

/** Determines the device of a browser's socket, and forwards it to the replica that holds the device. */
@Injectable()
export class Arrivals {
  private asking = 0;

  constructor(
    @InjectRpc(IdentityService) private readonly identity: RpcClient<typeof IdentityService>,
    private readonly others: OtherReplicas,
    @Inject(TUNNELS_CONFIG) private readonly config: Pick<TunnelsConfig, 'MAX_SOCKETS'>,
  ) {}

  /**
   * Reads the query of an upgrade, and asks identity if it does not name its device.
   * @throws Fault `unauthenticated` without a token, or for an invalid one if identity is asked
   */
  async read(request: IncomingMessage): Promise<Arrival> {
    const query = queryOf(request);
    const { success, data } = said.safeParse(query);
    if (!success) throw new Fault('unauthenticated', 'The socket needs a token in its query.');
    const { token } = data;
    const passed = request.headers[PASSED] !== undefined;
    const named = z.uuid().safeParse(request.headers[FOR_DEVICE]).data ?? data.device;
    if (named !== undefined) return { query, token, deviceId: named, passed, proven: false };
    return { query, token, deviceId: await this.deviceOf(token), passed, proven: true };
  }

  /**
   * Looks up the device of a socket token without consuming it.
   * @throws Fault `unauthenticated` for an invalid token
   */
  async deviceOf(token: string): Promise<string> {
    try {
      return (await this.identity.peekSocketToken(serviceCaller('tunnels'), { token })).deviceId;
    } catch (error) {
      const refused = error instanceof Fault && REFUSED.has(error.code);
      throw refused ? new Fault('unauthenticated', 'The socket token is unknown, used or too old.') : error;
    }
  }

  /**
   * @returns whether the socket was forwarded, because another replica holds its device
   * @throws Fault `unavailable` if that does not answer; {@link Misdirected} if another replica has forwarded it here
   */
  async pass(upgrade: Upgrade, arrival: Arrival): Promise<boolean> {
    const address = await this.others.holding(arrival.deviceId);
    if (address === undefined) return false;
    if (arrival.passed) throw new Misdirected();
    if (this.others.passed + this.asking >= this.config.MAX_SOCKETS) {
      throw new Fault('unavailable', 'This replica passes no more sessions on now.', { retryAfter: BUSY_RETRY_S });
    }
    const answer = await this.ask(upgrade, arrival, address);
    if (!answer) return false;
    socketUpgrades.inc({ status: answer.message.statusCode ?? 0, way: 'passed' });
    await this.others.pass('socket', upgrade, answer);
    return true;
  }

  /** The response of the replica that holds the device; undefined if the device has arrived here meanwhile, or is offline. */
  private async ask(upgrade: Upgrade, arrival: Arrival, address: string) {
    this.asking++;
    try {
      const answer = await this.askAt(address, upgrade, arrival);
      if (answer.message.statusCode !== MISDIRECTED) return answer;
      // The device has moved since the lookup. One retry is enough; the browser retries if it moves again.
      answer.message.destroy();
      this.others.forget(arrival.deviceId);
      const now = await this.others.holding(arrival.deviceId);
      return now === undefined ? undefined : await this.askAt(now, upgrade, arrival);
    } catch (error) {
      this.others.forget(arrival.deviceId);
      throw error;
    } finally {
      this.asking--;
    }
  }

  private askAt(address: string, upgrade: Upgrade, { deviceId }: Arrival) {
    const lines = this.others.lines(upgrade.request, ...DROPPED);
    return this.others.ask(upgrade, address, [...lines, 'Warren-Device', deviceId]);
  }
}

/** Another replica holds the device of a forwarded socket: the forwarding replica looks again. */
export class Misdirected extends Error {
  override message = 'Another replica holds the device.';
}

const REFUSED: ReadonlySet<string> = new Set(['permission_denied', 'not_found', 'unauthenticated']);

/** The query of a request as an object. */
function queryOf({ url = '' }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(url.split('?', 2)[1]));
}
