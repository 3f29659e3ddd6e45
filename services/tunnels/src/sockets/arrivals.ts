import { Inject, Injectable } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import type { Upgrade } from '@warren/platform/relay/upgrade';
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
/** Said by a gateway or replica of the device that it brings a socket for; from anybody else it is worth as much as a hint. */
const BROUGHT = 'warren-device';
/** Of no meaning behind this replica, or said anew: the session's cookie opens no door there. */
const STAYS = ['cookie', 'forwarded', 'x-real-ip', BROUGHT, PASSED];

const said = z.object({
  token: z.string().min(16).max(256),
  /** Where to look first. What is opened is the token's to say, so whoever names another device is refused in the end. */
  device: z.uuid().optional().catch(undefined),
});

/** A browser's socket that has come to this replica. */
export interface Arrival {
  query: Record<string, string>;
  token: string;
  deviceId: string;
  /** Whether somebody of ours has brought it here for the device. It goes on to no other replica. */
  brought: boolean;
  /** Whether the token is known to be good. */
  proven: boolean;
}

/** Finds out which device a browser's socket is for, and brings it to the replica that holds it. */
@Injectable()
export class Arrivals {
  private asking = 0;

  constructor(
    @InjectRpc(IdentityService) private readonly identity: RpcClient<typeof IdentityService>,
    private readonly others: OtherReplicas,
    @Inject(TUNNELS_CONFIG) private readonly config: Pick<TunnelsConfig, 'MAX_SOCKETS'>,
  ) {}

  /**
   * What an upgrade says of itself, and identity where it does not name its device.
   * @throws Fault `unauthenticated` without a token, or without a good one when that is asked
   */
  async read(request: IncomingMessage): Promise<Arrival> {
    const query = queryOf(request);
    const { success, data } = said.safeParse(query);
    if (!success) throw new Fault('unauthenticated', 'The socket needs a token in its query.');
    const { token } = data;
    const header = z.uuid().safeParse(request.headers[BROUGHT]).data;
    const brought = header !== undefined || request.headers[PASSED] !== undefined;
    const named = header ?? data.device;
    if (named !== undefined) return { query, token, deviceId: named, brought, proven: false };
    return { query, token, deviceId: await this.deviceOf(token), brought, proven: true };
  }

  /**
   * The device of a token, which stays good.
   * @throws Fault `unauthenticated` for one that is not
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
   * @returns whether the socket was passed on, since another replica holds its device
   * @throws Fault `unavailable` when that does not answer; {@link Misdirected} when the socket was brought here for the device
   */
  async pass(upgrade: Upgrade, arrival: Arrival): Promise<boolean> {
    const address = await this.others.holding(arrival.deviceId);
    if (address === undefined) return false;
    if (arrival.brought) throw new Misdirected();
    if (this.others.passed + this.asking >= this.config.MAX_SOCKETS) {
      throw new Fault('unavailable', 'This replica passes no more sessions on now.', { retryAfter: BUSY_RETRY_S });
    }
    const answer = await this.ask(upgrade, arrival, address);
    if (!answer) return false;
    socketUpgrades.inc({ status: answer.message.statusCode ?? 0, way: 'passed' });
    await this.others.pass('socket', upgrade, answer);
    return true;
  }

  /** The answer of the replica that holds the device; undefined when the device has come here meanwhile, or is offline now. */
  private async ask(upgrade: Upgrade, arrival: Arrival, address: string) {
    this.asking++;
    try {
      const answer = await this.askAt(address, upgrade, arrival);
      if (answer.message.statusCode !== MISDIRECTED) return answer;
      // The device has moved since we looked. Once more is enough: whoever moves faster may come back.
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
    const lines = this.others.lines(upgrade.request, ...STAYS);
    return this.others.ask(upgrade, address, [...lines, 'Warren-Device', deviceId]);
  }
}

/** Another replica holds the device that a socket was brought here for: whoever has brought it looks again. */
export class Misdirected extends Error {
  override message = 'Another replica holds the device.';
}

const REFUSED: ReadonlySet<string> = new Set(['permission_denied', 'not_found', 'unauthenticated']);

/** The names and values of a request's query. */
function queryOf({ url = '' }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(url.split('?', 2)[1]));
}
