import { Inject, Injectable } from '@nestjs/common';
import { ReplicaDirectory, type Location } from '@warren/platform/broker/directory';
import { Fault } from '@warren/platform/errors/fault';
import { requireRight } from '@warren/platform/policy/device.access';
import { requireUser, serviceCaller, type Caller, type UserCaller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { DevicePermission } from '@warren/proto/common/v1/common';
import { DevicesService, type Device } from '@warren/proto/devices/v1/devices';
import { IdentityService, SocketPurpose } from '@warren/proto/identity/v1/identity';
import type { TokenOrigin } from '../http/signed-in.request.ts';
import { mayUseWebSsh } from '../auth/session.user.ts';
import { GATEWAY_CONFIG, type GatewayConfig } from '../config.ts';
import { requireActiveAccount } from '../devices/device.account.ts';
import { deviceInfoJson, type DeviceInfoJson, type SocketTokenQuery } from './socket.schemas.ts';

const PURPOSES: Record<SocketTokenQuery['purpose'], SocketPurpose> = {
  terminal: SocketPurpose.TERMINAL,
  desktop: SocketPurpose.DESKTOP,
  logs: SocketPurpose.LOGS,
};

const NEEDED: Record<SocketTokenQuery['purpose'], DevicePermission.TERMINAL | DevicePermission.DESKTOP> = {
  terminal: DevicePermission.TERMINAL,
  desktop: DevicePermission.DESKTOP,
  logs: DevicePermission.TERMINAL,
};

/** The page of a single terminal; a file of the console. */
const WINDOW_PAGE = '/api/webssh/ssh/host/';

/** A request for a socket token. */
interface Wanted extends TokenOrigin {
  /** Of the device. */
  id: string;
}

/** A device that the caller may open. */
interface Opened {
  user: UserCaller;
  device: Device;
  info: DeviceInfoJson;
}

/** Issues socket tokens. */
@Injectable()
export class SocketsService {
  constructor(
    @InjectRpc(DevicesService) private readonly devices: RpcClient<typeof DevicesService>,
    @InjectRpc(IdentityService) private readonly identity: RpcClient<typeof IdentityService>,
    private readonly directory: ReplicaDirectory,
    @Inject(GATEWAY_CONFIG) private readonly config: GatewayConfig,
  ) {}

  /** @throws Fault `not_found` for a device that does not exist or that the caller may not see */
  async info(caller: Caller, id: string): Promise<DeviceInfoJson> {
    return (await this.open(caller, id, DevicePermission.VIEW)).info;
  }

  /**
   * @returns an empty token while the device is offline: a page that waits for it asks every few seconds
   * @throws Fault as {@link info}; `failed_precondition` if the device's console is off or its account is disabled
   */
  async token(
    caller: Caller,
    { id, ...origin }: Wanted,
    purpose: SocketTokenQuery['purpose'],
  ): Promise<DeviceInfoJson & { token: string }> {
    const opened = await this.open(caller, id, NEEDED[purpose]);
    requireConsole(opened);
    const isOnline = opened.info.device_sid !== '';
    return { ...opened.info, token: isOnline ? await this.issue(caller, opened, { purpose, ...origin }) : '' };
  }

  /**
   * Issues a token with the URL of the page of a single terminal, for WEBSSH_EMAILS.
   * @throws Fault as {@link token}; `permission_denied` for other people
   */
  async windowToken(caller: Caller, { id, ...origin }: Wanted): Promise<{ token: string; url: string }> {
    const opened = await this.open(caller, id, NEEDED.terminal);
    if (!mayUseWebSsh(opened.user.email, this.config))
      throw new Fault('permission_denied', 'WebSSH is not open to you on this hub.');
    requireConsole(opened);
    const token = await this.issue(caller, opened, { purpose: 'terminal', ...origin });
    return { token, url: `${WINDOW_PAGE}?${new URLSearchParams({ token, id })}` };
  }

  private async issue(
    caller: Caller,
    { user, device }: Opened,
    { purpose, ...origin }: TokenOrigin & { purpose: SocketTokenQuery['purpose'] },
  ): Promise<string> {
    const { token } = await this.identity.createSocketToken(serviceCaller('gateway', caller.requestId, caller.origin), {
      // Tunnels asks for the grants of the moment.
      user: { ...user, grants: [] },
      deviceId: device.id,
      deviceAccountId: device.accountId,
      purpose: PURPOSES[purpose],
      ...origin,
    });
    return token;
  }

  private async open(caller: Caller, id: string, needed: Parameters<typeof requireRight>[1]): Promise<Opened> {
    const [{ device }, place] = await Promise.all([this.devices.getDevice(caller, { id }), this.placeOf(id)]);
    if (!device) throw new Fault('not_found', `device ${id}.`);
    requireRight(device.rights, needed, `device ${id}`);
    const user = requireUser(caller);
    const info = deviceInfoJson(device, place?.connection ?? '', user.userId);
    return { user, device, info };
  }

  private async placeOf(id: string): Promise<Location | undefined> {
    try {
      return await this.directory.locate(id);
    } catch (cause) {
      throw new Fault('unavailable', 'The directory of devices does not answer.', { cause });
    }
  }
}

/** @throws Fault `failed_precondition` if the device's console is off or its account is disabled */
function requireConsole({ device, info }: Opened): void {
  requireActiveAccount(device);
  if (!device.sshEnabled) throw new Fault('failed_precondition', `the console of ${info.device_name} is disabled.`);
}
