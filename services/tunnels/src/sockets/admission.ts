import { Injectable } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import { isRestricted } from '@warren/platform/policy/policy';
import { serviceCaller, type UserCaller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { IdentityService } from '@warren/proto/identity/v1/identity';
import { z } from 'zod';
import { AccessRights } from '../access/access.rights.ts';
import { RecentAccessChanges } from '../access/recent.changes.ts';
import { Credentials } from '../links/credentials.ts';
import { RecordingPolicies, type RecordingRule } from '../recordings/policies.ts';
import { permissionOf, purposeOf, switchedOff, type Grant, type GrantKind } from './grant.ts';

const handshake = z.object({
  token: z.string().min(16).max(256),
  UserID: z.string().min(1).max(64),
  /** The purpose of the socket, so that its token is redeemed while the connection is still being set up. */
  kind: z.enum(['terminal', 'desktop', 'logs']).optional().catch(undefined),
});

/** A grant that was requested before the socket joined its namespace. */
export interface EarlyGrant {
  kind: GrantKind;
  grant: Promise<Grant>;
}

/** What was read of a device before the token named it. */
interface EarlyDevice {
  accountId: string;
  recording: Promise<RecordingRule | undefined>;
}

/** Redeems a socket token for the right to open one kind of session on one device. */
@Injectable()
export class Admission {
  constructor(
    @InjectRpc(IdentityService) private readonly identity: RpcClient<typeof IdentityService>,
    private readonly credentials: Credentials,
    private readonly rights: AccessRights,
    private readonly recent: RecentAccessChanges,
    private readonly recordings: RecordingPolicies,
  ) {}

  /**
   * Starts to redeem the token of a socket whose query names its purpose; undefined without one.
   * @param query as in `redeem`
   */
  begin(query: unknown, linked?: string): EarlyGrant | undefined {
    const { data } = handshake.safeParse(query);
    if (!data?.kind) return undefined;
    const grant = this.redeem(data.kind, query, linked);
    // The browser may leave before the grant is used.
    grant.catch(() => {});
    return { kind: data.kind, grant };
  }

  /**
   * @param query the handshake's query: `token`, `UserID`
   * @param linked the device that the socket names, if it is linked here: its credential is fetched concurrently
   * @throws Fault for the person at the browser: `invalid_argument`, `permission_denied`, `not_found`, `unavailable`
   */
  async redeem(kind: GrantKind, query: unknown, linked?: string): Promise<Grant> {
    const parsed = handshake.safeParse(query);
    if (!parsed.success) throw new Fault('invalid_argument', 'The socket needs token and UserID in its query.');
    const { token, UserID: userId } = parsed.data;
    const purpose = purposeOf(kind);
    const early = linked === undefined ? undefined : this.early(kind, linked);
    const redeemed = await this.identity.redeemSocketToken(serviceCaller('tunnels'), { token, userId, purpose });
    const { user, deviceId, deviceAccountId, session, mostSockets } = redeemed;
    if (!user) throw new Fault('permission_denied', 'The socket token names no user.');
    // Fetches the device again if it changed after the early result.
    const device = await (deviceId === linked ? this.credentials.get(deviceId) : this.credentials.refresh(deviceId));
    const off = switchedOff(kind, device);
    if (off) throw new Fault('permission_denied', off);
    if (device.accountId !== deviceAccountId) throw new Fault('not_found', `device ${deviceId}.`);
    const known = deviceId === linked ? await early : undefined;
    const [right, recording] = await Promise.all([
      this.allowed(kind, user, { accountId: deviceAccountId, deviceId }),
      known?.accountId === deviceAccountId ? known.recording : this.recording(kind, deviceAccountId, deviceId),
    ]);
    const more = { ...(mostSockets === undefined ? {} : { mostSockets }), ...(recording && { recording }) };
    return { kind, ...right, deviceId, deviceAccountId, deviceName: device.name, session, ...more };
  }

  /** Reads a device that is probably the token's, and how it is recorded, while the token is redeemed. Never rejects. */
  private async early(kind: GrantKind, deviceId: string): Promise<EarlyDevice | undefined> {
    try {
      const { accountId } = await this.credentials.refresh(deviceId);
      const recording = this.recording(kind, accountId, deviceId);
      recording.catch(() => {});
      return { accountId, recording };
    } catch {
      return undefined;
    }
  }

  private async recording(kind: GrantKind, accountId: string, deviceId: string): Promise<RecordingRule | undefined> {
    return kind === 'terminal' || kind === 'desktop' ? this.recordings.of(kind, accountId, deviceId) : undefined;
  }

  /**
   * The token's user as of now, if their access may have changed since it was made.
   * @throws Fault `permission_denied`, `unavailable`
   */
  private async allowed(
    kind: GrantKind,
    of: UserCaller,
    { accountId, deviceId }: { accountId: string; deviceId: string },
  ): Promise<Pick<Grant, 'user' | 'grantId' | 'until'>> {
    const user = isRestricted(of) || this.recent.concern(of) ? await this.rights.member(of) : of;
    const permitted = user && (await this.rights.permitted(user, permissionOf(kind), { accountId, ids: [deviceId] }));
    const right = permitted?.get(deviceId);
    if (!user || !right) throw new Fault('permission_denied', 'neither your role nor a grant allows this.');
    return { user, ...right };
  }
}
