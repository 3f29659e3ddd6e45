import { Injectable } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import { serviceCaller, type UserCaller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { IdentityService, SocketPurpose } from '@warren/proto/identity/v1/identity';
import { z } from 'zod';
import { Credentials } from '../links/credentials.ts';

/** Who may do what through one socket: one user, one device. */
export interface Grant {
  user: UserCaller;
  deviceId: string;
  /** The device's account when the token was made; a device that has moved since is refused. */
  deviceAccountId: string;
  deviceName: string;
}

const handshake = z.object({ token: z.string().min(16).max(256), UserID: z.string().min(1).max(64) });

/** Trades a socket token for the right to open terminals of one device. */
@Injectable()
export class Admission {
  constructor(
    @InjectRpc(IdentityService) private readonly identity: RpcClient<typeof IdentityService>,
    private readonly credentials: Credentials,
  ) {}

  /**
   * @param query the handshake's query: `token`, `UserID`
   * @throws Fault for the person at the browser: `invalid_argument`, `permission_denied`, `not_found`, `unavailable`
   */
  async redeem(query: unknown): Promise<Grant> {
    const parsed = handshake.safeParse(query);
    if (!parsed.success) throw new Fault('invalid_argument', 'The socket needs token and UserID in its query.');
    const { token, UserID: userId } = parsed.data;
    const purpose = SocketPurpose.TERMINAL;
    const redeemed = await this.identity.redeemSocketToken(serviceCaller('tunnels'), { token, userId, purpose });
    const { user, deviceId, deviceAccountId } = redeemed;
    if (!user) throw new Fault('permission_denied', 'The socket token names no user.');
    const { name, accountId, sshEnabled } = await this.credentials.refresh(deviceId);
    if (!sshEnabled) throw new Fault('permission_denied', `The console of ${name} is disabled.`);
    if (accountId !== deviceAccountId) throw new Fault('not_found', `Not found: device ${deviceId}.`);
    return { user, deviceId, deviceAccountId, deviceName: name };
  }
}
