import { Fault } from '@warren/platform/errors/fault';
import type { Caller } from '@warren/platform/rpc/caller';
import { LocalTransport } from '@warren/platform/rpc/local.transport';
import {
  RecordingKind,
  RecordingPolicy,
  RecordingsService,
  type GetRecordingPolicyRequest,
} from '@warren/proto/audit/v1/recordings';
import { DevicePermission } from '@warren/proto/common/v1/common';
import {
  DevicesService,
  type CheckDeviceAccessRequest,
  type FactsReport,
  type ReportFactsRequest,
} from '@warren/proto/devices/v1/devices';
import { MetricsService } from '@warren/proto/fleet/v1/metrics';
import {
  IdentityService,
  SocketPurpose,
  type CheckSessionsRequest,
  type RedeemSocketTokenRequest,
  type SessionUse,
} from '@warren/proto/identity/v1/identity';
import { randomBytes } from 'node:crypto';
import { newDevice, type TestDevice } from './fake.agent.ts';
import { FakeFleet } from './fake.fleet.ts';
import { emailOf, FakePeople } from './fake.people.ts';

interface KnownDevice extends TestDevice {
  sshEnabled: boolean;
  serial?: string;
  separateSerials?: string[];
  keyShared?: boolean;
  accountDisabled?: boolean;
}

/** Substitutes the identity and devices processes: answers the same calls from here. */
export class Neighbours {
  readonly devices = new Map<string, KnownDevice>();
  readonly reports: FactsReport[] = [];
  readonly fleet = new FakeFleet();
  readonly people = new FakePeople();
  auditAway = false;
  /** How the terminals of a device are recorded, and its desktops; not at all without an entry. */
  readonly policies = new Map<string, RecordingPolicy>();
  readonly desktopPolicies = new Map<string, RecordingPolicy>();
  readonly transport = new LocalTransport();
  /** How many sockets each account may have open; unlimited if absent. */
  mostSockets: bigint | undefined;
  /** Tokens that were asked about without being used up. */
  readonly peeked: string[] = [];
  /** Awaited before facts are taken. */
  beforeReport: () => Promise<void> = async () => {};
  /** Browser sessions by their hashes, and when they end by `performance.now()`; one that is not there has ended. */
  readonly sessionEnds = new Map<string, number>();
  /** What was asked about them. */
  readonly checked: SessionUse[] = [];
  /** Awaited before sessions are announced. */
  beforeCheck: () => Promise<void> = async () => {};
  private readonly tokens = new Map<
    string,
    {
      userId: string;
      accountId: string;
      deviceId: string;
      operator: boolean;
      purpose: SocketPurpose;
      session: string;
      explicitGrants: boolean;
      guest: string;
    }
  >();

  constructor() {
    for (const service of [DevicesService, IdentityService, RecordingsService])
      this.transport.serve(service, this.handlersOf(service));
    this.transport.serve(MetricsService, this.fleet);
    this.people.serve(this.transport);
  }

  handlersOf(service: typeof DevicesService | typeof IdentityService | typeof RecordingsService): object {
    if (service === RecordingsService) {
      return {
        getRecordingPolicy: async (_caller: Caller, { deviceId, kind }: GetRecordingPolicyRequest) => {
          if (this.auditAway) throw new Fault('unavailable', 'The audit service is away.');
          const policies = kind === RecordingKind.DESKTOP ? this.desktopPolicies : this.policies;
          return { policy: policies.get(deviceId) ?? RecordingPolicy.OFF };
        },
      };
    }
    if (service === IdentityService) {
      return {
        redeemSocketToken: async (_caller: Caller, { token, userId, purpose }: RedeemSocketTokenRequest) =>
          this.redeem(token, userId, purpose),
        checkSessions: async (_caller: Caller, { sessions }: CheckSessionsRequest) => {
          await this.beforeCheck();
          this.checked.push(...sessions);
          return { leftMs: sessions.map(({ session }) => this.timeLeft(session)) };
        },
        peekSocketToken: async (_caller: Caller, { token }: { token: string }) => this.peek(token),
      };
    }
    return {
      getDeviceCredentials: async (_caller: Caller, { deviceIds }: { deviceIds: string[] }) => ({
        credentials: deviceIds.flatMap((id) => this.credential(id)),
      }),
      checkDeviceAccess: async (_caller: Caller, request: CheckDeviceAccessRequest) => this.people.check(request),
      reportFacts: async (_caller: Caller, request: ReportFactsRequest) => {
        await this.beforeReport();
        const known = ({ deviceId }: FactsReport) => this.devices.has(deviceId);
        this.reports.push(...request.reports.filter(known));
        const unknown = request.reports.filter((report) => !known(report));
        return { refused: unknown.map(({ deviceId }) => ({ deviceId, code: 'not_found', message: 'Not found.' })) };
      },
    };
  }

  device(): KnownDevice {
    const device = { ...newDevice(), sshEnabled: true };
    this.devices.set(device.id, device);
    return device;
  }

  token(
    deviceId: string,
    userId: string,
    accountId: string,
    { operator = false, purpose = SocketPurpose.TERMINAL, session = '', guest = '' } = {},
  ): string {
    const token = randomBytes(24).toString('base64url');
    this.people.know(userId, { accountId, operator });
    const explicitGrants = this.people.restricted.has(userId);
    this.tokens.set(token, { userId, accountId, deviceId, operator, purpose, session, explicitGrants, guest });
    return token;
  }

  /** Milliseconds that a browser session has left. */
  protected timeLeft(session: string): number {
    return Math.max(0, Math.ceil((this.sessionEnds.get(session) ?? 0) - performance.now()));
  }

  /** Whether the web service of a device is on. */
  protected webEnabled(_deviceId: string): boolean {
    return false;
  }

  private credential(deviceId: string) {
    const device = this.devices.get(deviceId);
    if (!device) return [];
    const { publicKey, accountId, sshEnabled, accountDisabled = false, currentId = '' } = device;
    const { serial = '', separateSerials = [], keyShared = false } = device;
    return {
      deviceId,
      currentId,
      publicKey,
      accountId,
      accountDisabled,
      sshEnabled: sshEnabled && !accountDisabled,
      httpEnabled: this.webEnabled(deviceId),
      name: 'bench-pi',
      vncIp: '127.0.0.1',
      vncPort: 5901,
      serial,
      separateSerials,
      keyShared,
    };
  }

  private peek(token: string) {
    this.peeked.push(token);
    const known = this.tokens.get(token);
    if (!known) throw new Fault('permission_denied', 'The socket token is unknown or used.');
    return { deviceId: known.deviceId };
  }

  protected quota() {
    return this.mostSockets === undefined ? {} : { mostSockets: this.mostSockets };
  }

  private redeem(token: string, userId: string, purpose: SocketPurpose) {
    const known = this.tokens.get(token);
    this.tokens.delete(token);
    if (!known || known.userId !== userId || purpose !== known.purpose) {
      throw new Fault('permission_denied', 'The socket token is unknown or used.');
    }
    const { accountId, deviceId, operator, session } = known;
    const { explicitGrants, guest } = known;
    const user = {
      userId,
      accountId,
      email: emailOf(userId),
      name: 'Ann',
      role: this.people.roleOf(userId),
      operator,
      explicitGrants,
      ...(guest && guestOf(guest, deviceId, purpose)),
    };
    return { user, deviceId, deviceAccountId: this.devices.get(deviceId)?.accountId ?? '', session, ...this.quota() };
  }
}

/** What narrows the user to a guest of a terminal or a desktop. */
function guestOf(id: string, deviceId: string, purpose: SocketPurpose) {
  const token = { id, name: 'Grace', permissions: ['devices.open', 'devices.read'], filter: `id=${deviceId}` };
  const permission = purpose === SocketPurpose.DESKTOP ? DevicePermission.DESKTOP : DevicePermission.TERMINAL;
  return { token, guest: { id, name: 'Grace', linkId: 'link', deviceId, permission } };
}
