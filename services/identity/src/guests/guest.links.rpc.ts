import { Injectable, type OnModuleInit } from '@nestjs/common';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { requireService, type Caller } from '@warren/platform/rpc/caller';
import { RpcServer } from '@warren/platform/rpc/rpc.server';
import type { RpcHandlers } from '@warren/platform/rpc/types';
import {
  GuestLinksService as Contract,
  type CreateGuestLinkRequest,
  type EndGuestLinkRequest,
  type ListGuestLinksRequest,
  type LookUpGuestLinkRequest,
  type RedeemGuestLinkRequest,
  type VerifyGuestRequest,
  type WithdrawGuestLinkRequest,
} from '@warren/proto/identity/v1/guests';
import { validate as isUuid } from 'uuid';
import { sessionAnswer } from '../sessions/session.answer.ts';
import { GuestEntrance } from './guest.entrance.ts';
import { linkMessage } from './guest.links.ts';
import { GuestLinksService } from './guest.links.service.ts';

/** Serves GuestLinksService. */
@Injectable()
export class GuestLinksRpc implements RpcHandlers<typeof Contract>, OnModuleInit {
  constructor(
    private readonly server: RpcServer,
    private readonly links: GuestLinksService,
    private readonly entrance: GuestEntrance,
  ) {}

  onModuleInit(): void {
    this.server.serve(Contract, this);
  }

  async createGuestLink(caller: Caller, request: CreateGuestLinkRequest) {
    const { link, secret } = await this.links.create(caller, request);
    return { link: linkMessage(link), secret };
  }

  async listGuestLinks(caller: Caller, request: ListGuestLinksRequest) {
    const listed = await this.links.list(caller, request);
    return { links: listed.map(({ link, guests, live }) => linkMessage(link, guests, live)) };
  }

  async endGuestLink(caller: Caller, request: EndGuestLinkRequest) {
    await this.links.end(caller, request);
    return {};
  }

  async lookUpGuestLink(caller: Caller, request: LookUpGuestLinkRequest) {
    requireService(caller, 'gateway');
    return { link: linkMessage(await this.entrance.lookUp(request)) };
  }

  async redeemGuestLink(caller: Caller, request: RedeemGuestLinkRequest) {
    requireService(caller, 'gateway');
    const { secret, expires } = await this.entrance.redeem(caller, request);
    return { session: secret, expires: timestampFromDate(expires) };
  }

  async verifyGuest(caller: Caller, { secret }: VerifyGuestRequest) {
    requireService(caller, 'gateway');
    const { live, link } = await this.entrance.verify(secret);
    return { session: sessionAnswer(live), link: linkMessage(link) };
  }

  async withdrawGuestLink(caller: Caller, { id, reason }: WithdrawGuestLinkRequest) {
    requireService(caller, 'gateway');
    if (isUuid(id)) await this.links.endAll({ id }, { caller, reason });
    return {};
  }
}
