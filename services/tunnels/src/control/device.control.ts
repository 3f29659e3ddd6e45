import { Injectable, Logger } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import { requireMay } from '@warren/platform/policy/policy';
import type { AuditAction } from '@warren/rules/audit';
import { requireService, userCaller, type Caller, type UserCaller } from '@warren/platform/rpc/caller';
import { DevicePermission } from '@warren/proto/common/v1/common';
import { AccessRights } from '../access/access.rights.ts';
import { SessionTrail } from '../sockets/session.trail.ts';
import { Credentials } from '../links/credentials.ts';
import type { AgentLink } from '../links/link.ts';
import { Links } from '../links/links.ts';
import { refusalOf } from './refusal.ts';

const ANSWER_MS = 10_000;
const VIEWING = { permission: DevicePermission.VIEW, action: 'devices.read' } as const;
const MANAGING = { permission: DevicePermission.MANAGE, action: 'devices.manage' } as const;

/** Requests to devices that are linked here, besides sessions. */
@Injectable()
export class DeviceControl {
  private readonly log = new Logger(DeviceControl.name);

  constructor(
    private readonly links: Links,
    private readonly credentials: Credentials,
    private readonly trail: SessionTrail,
    private readonly rights: AccessRights,
  ) {}

  /**
   * Measures the round trip to the device, in microseconds.
   * @throws Fault `permission_denied`, `not_found`; `unavailable` if it is not linked here, or does not answer
   */
  async ping(caller: Caller, { deviceId }: { deviceId: string }): Promise<{ roundTripUs: number }> {
    const { accountId, name } = await this.credentials.get(deviceId);
    if (caller.kind.case === 'service') requireService(caller, 'tunnels');
    else await this.rights.require(caller, VIEWING, { accountId, deviceId });
    const link = this.links.get(deviceId);
    if (!link?.alive) throw new Fault('unavailable', `${name} is not connected.`);
    const roundTripMs = await link.answers();
    if (roundTripMs === undefined) throw new Fault('unavailable', `${name} did not answer.`);
    return { roundTripUs: Math.round(roundTripMs * 1_000) };
  }

  /**
   * Reboots a device. Resolves when its system has accepted the request.
   * @param request has the person for whom the devices service asks
   * @throws Fault `permission_denied` by role, `not_found`; `unavailable` when it is not connected, or its link broke before
   *   it answered; `failed_precondition` with the agent's reason
   */
  reboot(
    caller: Caller,
    { deviceId, onBehalfOf }: { deviceId: string; onBehalfOf?: UserCaller },
  ): Promise<Record<string, never>> {
    return this.ask(
      personOf(caller, onBehalfOf),
      deviceId,
      { what: 'Reboot', action: 'device.reboot', byGrant: true },
      (link, request, options) => link.agent.reboot(request, options),
    );
  }

  /** Rotates the device's key. Resolves when the new one is in effect. @throws Fault as {@link reboot} */
  rotateKey(caller: Caller, { deviceId }: { deviceId: string }): Promise<Record<string, never>> {
    return this.ask(caller, deviceId, { what: 'Key', action: 'device.rotate_key' }, (link, request, options) =>
      link.agent.rotateKey(request, options),
    );
  }

  private async ask(
    caller: Caller,
    deviceId: string,
    { what, action, byGrant = false }: { what: string; action: AuditAction; byGrant?: boolean },
    call: (
      link: AgentLink,
      request: { userEmail: string },
      options: { timeoutMs: number; signal: AbortSignal },
    ) => Promise<unknown>,
  ): Promise<Record<string, never>> {
    const { accountId, name } = await this.credentials.refresh(deviceId);
    const { user, grantId }: { user: UserCaller; grantId?: string } = byGrant
      ? await this.rights.require(caller, MANAGING, { accountId, deviceId })
      : { user: requireMay(caller, 'devices.manage', accountId, `device ${deviceId}`) };
    const { userId, email } = user;
    const link = this.links.get(deviceId);
    if (!link?.alive) throw new Fault('unavailable', `${name} is not connected.`);
    this.log.log({ audit: action, user: userId, email, device: deviceId, account: accountId }, action);
    const target = { kind: 'device', id: deviceId, name } as const;
    const audited = { action, accountId, target, ...(grantId && { grantId }) };
    return this.trail.during(caller, audited, async () => {
      try {
        await call(link, { userEmail: email }, { timeoutMs: ANSWER_MS, signal: link.gone });
        return {};
      } catch (error) {
        throw refusalOf(error, what, name);
      }
    });
  }
}

/** The person who asks, or for whom the devices service does. */
function personOf(caller: Caller, onBehalfOf: UserCaller | undefined): Caller {
  if (caller.kind.case !== 'service' || !onBehalfOf) return caller;
  requireService(caller, 'devices');
  return userCaller(onBehalfOf, caller.requestId, caller.origin);
}
