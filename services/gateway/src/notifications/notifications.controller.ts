import { Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Fault } from '@warren/platform/errors/fault';
import type { Caller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { NotificationsService } from '@warren/proto/fleet/v1/notifications';
import { CurrentCaller } from '../auth/caller.decorator.ts';
import { Describe } from '../http/api.decorators.ts';
import { done } from '../http/done.ts';
import { idSchema } from '../http/schemas.ts';
import {
  listNotificationsQuery,
  notificationAnswerSchema,
  notificationJson,
  notificationListSchema,
  stateMessage,
  type ListNotificationsQuery,
} from './notification.schemas.ts';

/** What became of notifications. */
@ApiTags('alerts')
@Controller('api/notifications')
export class NotificationsController {
  constructor(@InjectRpc(NotificationsService) private readonly fleet: RpcClient<typeof NotificationsService>) {}

  @Get()
  @Describe({
    summary: 'Lists notifications of the last 30 days.',
    description: 'SuperAdmins; Owners and Admins for their account.',
    answer: notificationListSchema,
    errors: [404],
  })
  async listNotifications(
    @CurrentCaller() caller: Caller,
    @Query({ schema: listNotificationsQuery }) query: ListNotificationsQuery,
  ) {
    const { account: accountId, channel: channelId = '', state, limit, before = '' } = query;
    const request = { accountId, channelId, state: stateMessage(state), limit, before };
    const { notifications } = await this.fleet.listNotifications(caller, request);
    return { notifications: notifications.map(notificationJson) };
  }

  @Post(':id/retry')
  @HttpCode(200)
  @Describe({
    summary: 'Delivers a failed notification again.',
    description: 'SuperAdmins; Owners and Admins for their account. Its channel has to be enabled.',
    answer: notificationAnswerSchema,
    errors: [404, 409],
  })
  async retryNotification(@CurrentCaller() caller: Caller, @Param('id', { schema: idSchema }) id: string) {
    const { notification } = await this.fleet.retryNotification(caller, { id });
    if (!notification) throw new Fault('not_found', `notification ${id}.`);
    return { ...done('notification will be delivered again'), result: notificationJson(notification) };
  }
}
