import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Caller } from '@warren/platform/rpc/caller';
import { RpcServer } from '@warren/platform/rpc/rpc.server';
import type { RpcHandlers } from '@warren/platform/rpc/types';
import {
  DevicesService as Contract,
  type CheckDeviceAccessRequest,
  type CheckEnrolmentTokenRequest,
  type CountReachRequest,
  type CreateEnrolmentTokenRequest,
  type DecideMachineRequest,
  type DeleteDeviceRequest,
  type EnableHttpRequest,
  type EnrolRequest,
  type FindDeviceAccountsRequest,
  type FindWebPageRequest,
  type GetDeviceByAddressRequest,
  type GetDeviceBySerialRequest,
  type GetDeviceCountsRequest,
  type GetDeviceCredentialsRequest,
  type GetDevicePresenceRequest,
  type GetDeviceRequest,
  type GetDeviceTrendRequest,
  type LabelDevicesRequest,
  type ListActivityRequest,
  type ListDeviceEventsRequest,
  type ListDevicesRequest,
  type ListLabelsRequest,
  type MatchFiltersRequest,
  type MoveDeviceRequest,
  type RenameDeviceRequest,
  type ReplaceDeviceRequest,
  type ReportFactsRequest,
  type RevokeEnrolmentTokenRequest,
  type RotateKeyRequest,
  type SeparateMachineRequest,
  type SetNotesRequest,
  type SetServiceRequest,
  type SetVncRequest,
} from '@warren/proto/devices/v1/devices';
import { AccessService } from '../devices/device-access.service.ts';
import { DeviceManagementService } from '../devices/device-management.service.ts';
import { DevicesService } from '../devices/devices.service.ts';
import { ReplacementService } from '../devices/replacement.service.ts';
import { WebServiceLookup } from '../devices/web-service.lookup.ts';
import { EnrolmentService } from '../enrolment/enrolment.service.ts';
import { RotationService } from '../enrolment/rotation.service.ts';
import { TokensService } from '../enrolment/tokens.service.ts';
import { ActivityService } from '../activity/activity.service.ts';
import { TrendService } from '../activity/trend.service.ts';
import { FactsService } from '../facts/facts.service.ts';
import { LabelsService } from '../labels/labels.service.ts';
import { MachineDecisions } from '../machines/machine.decisions.ts';
import { SeparationService } from '../machines/separation.service.ts';

/** DevicesService on the bus. */
@Injectable()
export class DevicesRpc implements RpcHandlers<typeof Contract>, OnModuleInit {
  constructor(
    private readonly server: RpcServer,
    private readonly devices: DevicesService,
    private readonly management: DeviceManagementService,
    private readonly tokens: TokensService,
    private readonly enrolment: EnrolmentService,
    private readonly rotation: RotationService,
    private readonly replacement: ReplacementService,
    private readonly facts: FactsService,
    private readonly activity: ActivityService,
    private readonly trends: TrendService,
    private readonly webServices: WebServiceLookup,
    private readonly machines: MachineDecisions,
    private readonly separation: SeparationService,
    private readonly labels: LabelsService,
    private readonly access: AccessService,
  ) {}

  onModuleInit(): void {
    this.server.serve(Contract, this);
  }

  listDevices = (caller: Caller, request: ListDevicesRequest) => this.devices.list(caller, request);
  getDevice = (caller: Caller, request: GetDeviceRequest) => this.devices.get(caller, request);
  getDeviceBySerial = (caller: Caller, request: GetDeviceBySerialRequest) => this.devices.getBySerial(caller, request);
  getDeviceCounts = (caller: Caller, request: GetDeviceCountsRequest) => this.devices.counts(caller, request);
  getDeviceTrend = (caller: Caller, request: GetDeviceTrendRequest) => this.trends.trend(caller, request);
  listActivity = (caller: Caller, request: ListActivityRequest) => this.activity.list(caller, request);
  getDevicePresence = (caller: Caller, request: GetDevicePresenceRequest) => this.activity.presence(caller, request);
  listDeviceEvents = (caller: Caller, request: ListDeviceEventsRequest) => this.activity.events(caller, request);
  getDeviceCredentials = (caller: Caller, request: GetDeviceCredentialsRequest) =>
    this.devices.credentials(caller, request);
  findDeviceAccounts = (caller: Caller, request: FindDeviceAccountsRequest) => this.devices.accountsOf(caller, request);
  getDeviceByAddress = (caller: Caller, request: GetDeviceByAddressRequest) => this.webServices.get(caller, request);
  findWebPage = (caller: Caller, request: FindWebPageRequest) => this.webServices.find(caller, request);
  setService = (caller: Caller, request: SetServiceRequest) => this.management.setService(caller, request);
  enableHttp = (caller: Caller, request: EnableHttpRequest) => this.management.enableHttp(caller, request);
  setVnc = (caller: Caller, request: SetVncRequest) => this.management.setVnc(caller, request);
  renameDevice = (caller: Caller, request: RenameDeviceRequest) => this.management.rename(caller, request);
  moveDevice = (caller: Caller, request: MoveDeviceRequest) => this.management.move(caller, request);
  deleteDevice = (caller: Caller, request: DeleteDeviceRequest) => this.management.delete(caller, request);
  createEnrolmentToken = (caller: Caller, request: CreateEnrolmentTokenRequest) => this.tokens.create(caller, request);
  revokeEnrolmentToken = (caller: Caller, request: RevokeEnrolmentTokenRequest) => this.tokens.revoke(caller, request);
  checkEnrolmentToken = (caller: Caller, request: CheckEnrolmentTokenRequest) => this.tokens.check(caller, request);
  enrol = (caller: Caller, request: EnrolRequest) => this.enrolment.enrol(caller, request);
  replaceDevice = (caller: Caller, request: ReplaceDeviceRequest) => this.replacement.replace(caller, request);
  decideMachine = (caller: Caller, request: DecideMachineRequest) => this.machines.decide(caller, request);
  separateMachine = (caller: Caller, request: SeparateMachineRequest) => this.separation.separate(caller, request);
  rotateKey = (caller: Caller, request: RotateKeyRequest) => this.rotation.rotate(caller, request);
  reportFacts = (caller: Caller, request: ReportFactsRequest) => this.facts.report(caller, request);
  labelDevices = (caller: Caller, request: LabelDevicesRequest) => this.labels.label(caller, request);
  listLabels = (caller: Caller, request: ListLabelsRequest) => this.labels.list(caller, request);
  setNotes = (caller: Caller, request: SetNotesRequest) => this.labels.setNotes(caller, request);
  checkDeviceAccess = (caller: Caller, request: CheckDeviceAccessRequest) => this.access.check(caller, request);
  matchFilters = (caller: Caller, request: MatchFiltersRequest) => this.access.match(caller, request);
  countReach = (caller: Caller, request: CountReachRequest) => this.access.countReach(caller, request);
}
