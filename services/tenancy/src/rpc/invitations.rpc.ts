import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Caller } from '@warren/platform/rpc/caller';
import { RpcServer } from '@warren/platform/rpc/rpc.server';
import type { RpcHandlers } from '@warren/platform/rpc/types';
import {
  InvitationsService as Contract,
  type AcceptInvitationRequest,
  type CancelInvitationRequest,
  type ListInvitationsOfRequest,
  type ListInvitationsRequest,
  type LookUpInvitationRequest,
  type ResendInvitationRequest,
  type SendInvitationsRequest,
  type SignUpRequest,
} from '@warren/proto/tenancy/v1/invitations';
import { AcceptanceService } from '../invitations/acceptance.service.ts';
import { InvitationsService } from '../invitations/invitations.service.ts';

/** InvitationsService on the bus. */
@Injectable()
export class InvitationsRpc implements RpcHandlers<typeof Contract>, OnModuleInit {
  constructor(
    private readonly server: RpcServer,
    private readonly invitations: InvitationsService,
    private readonly acceptance: AcceptanceService,
  ) {}

  onModuleInit(): void {
    this.server.serve(Contract, this);
  }

  listInvitations = (caller: Caller, request: ListInvitationsRequest) => this.invitations.list(caller, request);
  sendInvitations = (caller: Caller, request: SendInvitationsRequest) => this.invitations.send(caller, request);
  resendInvitation = (caller: Caller, request: ResendInvitationRequest) => this.invitations.resend(caller, request);
  cancelInvitation = (caller: Caller, request: CancelInvitationRequest) => this.invitations.cancel(caller, request);
  lookUpInvitation = (caller: Caller, request: LookUpInvitationRequest) => this.acceptance.lookUp(caller, request);
  listInvitationsOf = (caller: Caller, request: ListInvitationsOfRequest) => this.acceptance.listOf(caller, request);
  signUp = (caller: Caller, request: SignUpRequest) => this.acceptance.signUp(caller, request);
  acceptInvitation = (caller: Caller, request: AcceptInvitationRequest) => this.acceptance.accept(caller, request);
}
