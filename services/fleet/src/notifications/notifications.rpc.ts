import { Injectable, type OnModuleInit } from '@nestjs/common';
import { EventConsumer } from '@warren/platform/events/event.consumer';
import type { Caller } from '@warren/platform/rpc/caller';
import { RpcServer } from '@warren/platform/rpc/rpc.server';
import type { RpcHandlers } from '@warren/platform/rpc/types';
import {
  NotificationsService as Contract,
  type CreateChannelRequest,
  type DeleteChannelRequest,
  type ListChannelsRequest,
  type ListNotificationsRequest,
  type RetryNotificationRequest,
  type RotateChannelSecretRequest,
  type TestChannelRequest,
  type UpdateChannelRequest,
} from '@warren/proto/fleet/v1/notifications';
import { ChannelsService } from './channels/channels.service.ts';
import { NotificationsService } from './delivery/notifications.service.ts';

/** NotificationsService on the bus; deleted accounts take their channels with them. */
@Injectable()
export class NotificationsRpc implements RpcHandlers<typeof Contract>, OnModuleInit {
  constructor(
    private readonly server: RpcServer,
    private readonly consumer: EventConsumer,
    private readonly channels: ChannelsService,
    private readonly notifications: NotificationsService,
  ) {}

  onModuleInit(): void {
    this.server.serve(Contract, this);
    this.consumer.on('accountDeleted', (_event, { accountId }) => this.channels.forget(accountId));
  }

  listChannels = (caller: Caller, request: ListChannelsRequest) => this.channels.list(caller, request);
  createChannel = (caller: Caller, request: CreateChannelRequest) => this.channels.create(caller, request);
  updateChannel = (caller: Caller, request: UpdateChannelRequest) => this.channels.update(caller, request);
  deleteChannel = (caller: Caller, request: DeleteChannelRequest) => this.channels.delete(caller, request);
  testChannel = (caller: Caller, request: TestChannelRequest) => this.notifications.test(caller, request);
  rotateChannelSecret = (caller: Caller, request: RotateChannelSecretRequest) =>
    this.channels.rotateSecret(caller, request);
  listNotifications = (caller: Caller, request: ListNotificationsRequest) => this.notifications.list(caller, request);
  retryNotification = (caller: Caller, request: RetryNotificationRequest) => this.notifications.retry(caller, request);
}
