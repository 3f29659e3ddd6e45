import { Injectable, type OnModuleInit } from '@nestjs/common';
import { requireService, type Caller } from '@warren/platform/rpc/caller';
import { RpcServer } from '@warren/platform/rpc/rpc.server';
import type { RpcHandlers } from '@warren/platform/rpc/types';
import {
  TunnelsService,
  type EndTerminalRequest,
  type ListTerminalsRequest,
  type OfferUpdateRequest,
  type PingDeviceRequest,
  type RebootDeviceRequest,
  type RecordTerminalRequest,
  type RotateDeviceKeyRequest,
} from '@warren/proto/tunnels/v1/tunnels';
import { Lease } from '../broker/lease.ts';
import { RecordedSources } from '../recordings/recorded.sources.ts';
import { DeviceControl } from './device.control.ts';
import { TerminalControl } from './terminal.control.ts';
import { UpdateControl } from './update.control.ts';

/** TunnelsService on the bus, under the id of this replica. */
@Injectable()
export class TunnelsRpc implements RpcHandlers<typeof TunnelsService>, OnModuleInit {
  constructor(
    private readonly server: RpcServer,
    private readonly lease: Lease,
    private readonly control: DeviceControl,
    private readonly terminals: TerminalControl,
    private readonly updates: UpdateControl,
    private readonly recorded: RecordedSources,
  ) {}

  onModuleInit(): void {
    this.server.serve(TunnelsService, this, this.lease.replica);
  }

  getLease = async (caller: Caller) => {
    requireService(caller, 'tunnels');
    return { serving: this.lease.serving };
  };

  rebootDevice = (caller: Caller, request: RebootDeviceRequest) => this.control.reboot(caller, request);

  rotateDeviceKey = (caller: Caller, request: RotateDeviceKeyRequest) => this.control.rotateKey(caller, request);

  pingDevice = (caller: Caller, request: PingDeviceRequest) => this.control.ping(caller, request);

  listTerminals = (caller: Caller, request: ListTerminalsRequest) => this.terminals.list(caller, request);

  endTerminal = (caller: Caller, request: EndTerminalRequest) => this.terminals.end(caller, request);

  offerUpdate = (caller: Caller, request: OfferUpdateRequest) => this.updates.offer(caller, request);

  recordTerminal = async (caller: Caller, request: RecordTerminalRequest) =>
    this.recorded.recordTerminal(caller, request);
}
