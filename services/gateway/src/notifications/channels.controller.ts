import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Fault } from '@warren/platform/errors/fault';
import type { Caller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { NotificationsService } from '@warren/proto/fleet/v1/notifications';
import { CurrentCaller } from '../auth/caller.decorator.ts';
import { Describe } from '../http/api.decorators.ts';
import { done, doneSchema } from '../http/done.ts';
import { idSchema } from '../http/schemas.ts';
import {
  channelAnswerSchema,
  channelJson,
  channelListSchema,
  channelMessage,
  channelSecretSchema,
  channelTestSchema,
  createChannelBody,
  listChannelsQuery,
  updateChannelBody,
  updateMessage,
  type CreateChannelBody,
  type ListChannelsQuery,
  type UpdateChannelBody,
} from './channel.schemas.ts';

const WHO = 'SuperAdmins; Owners and Admins for their account.';
/** Longer than an attempt may take. */
const TEST_TIMEOUT_MS = 45_000;

/** Channels, which notifications of alerts go to. */
@ApiTags('alerts')
@Controller('api/notification-channels')
export class ChannelsController {
  constructor(@InjectRpc(NotificationsService) private readonly fleet: RpcClient<typeof NotificationsService>) {}

  @Get()
  @Describe({ summary: 'Lists notification channels.', description: WHO, answer: channelListSchema, errors: [404] })
  async listChannels(
    @CurrentCaller() caller: Caller,
    @Query({ schema: listChannelsQuery }) { account: accountId }: ListChannelsQuery,
  ) {
    const { channels } = await this.fleet.listChannels(caller, { accountId });
    return { channels: channels.map(channelJson) };
  }

  @Post()
  @Describe({
    summary: 'Creates a notification channel.',
    description: `${WHO} At most 20 for an account. The answer has the signing secret of a webhook, which is not shown again.`,
    answer: channelSecretSchema,
    status: 201,
    errors: [404, 409],
  })
  async createChannel(@CurrentCaller() caller: Caller, @Body({ schema: createChannelBody }) body: CreateChannelBody) {
    const { channel, secret } = await this.fleet.createChannel(caller, { channel: channelMessage(body) });
    if (!channel) throw new Fault('not_found', `channel ${body.name}.`);
    return { ...done('channel successfully created'), result: channelJson(channel), secret: secret || null };
  }

  @Patch(':id')
  @Describe({
    summary: 'Changes a notification channel.',
    description: `${WHO} What is left out stays as it is; the kind can't be changed. Disabling a channel ends what waits for it.`,
    answer: channelAnswerSchema,
    errors: [404, 409],
  })
  async updateChannel(
    @CurrentCaller() caller: Caller,
    @Param('id', { schema: idSchema }) id: string,
    @Body({ schema: updateChannelBody }) body: UpdateChannelBody,
  ) {
    const { channel } = await this.fleet.updateChannel(caller, updateMessage(id, body));
    if (!channel) throw new Fault('not_found', `channel ${id}.`);
    return { ...done('channel successfully changed'), result: channelJson(channel) };
  }

  @Delete(':id')
  @Describe({
    summary: 'Deletes a notification channel and its notifications.',
    description: WHO,
    answer: doneSchema,
    errors: [404],
  })
  async deleteChannel(@CurrentCaller() caller: Caller, @Param('id', { schema: idSchema }) id: string) {
    await this.fleet.deleteChannel(caller, { id });
    return done('channel successfully deleted');
  }

  @Post(':id/test')
  @HttpCode(200)
  @Describe({
    summary: 'Sends a test message to a channel, and waits for the outcome.',
    description: `${WHO} One every 10 seconds.`,
    answer: channelTestSchema,
    errors: [404, 429],
  })
  async testChannel(@CurrentCaller() caller: Caller, @Param('id', { schema: idSchema }) id: string) {
    const { delivered, reason } = await this.fleet.testChannel(caller, { id }, { timeoutMs: TEST_TIMEOUT_MS });
    return { delivered, reason: reason || null };
  }

  @Post(':id/rotate-secret')
  @HttpCode(200)
  @Describe({
    summary: 'Replaces the signing secret of a webhook.',
    description: `${WHO} For 24 hours each message has a signature by the former secret as well. The new one is not shown again.`,
    answer: channelSecretSchema,
    errors: [404, 409],
  })
  async rotateChannelSecret(@CurrentCaller() caller: Caller, @Param('id', { schema: idSchema }) id: string) {
    const { channel, secret } = await this.fleet.rotateChannelSecret(caller, { id });
    if (!channel) throw new Fault('not_found', `channel ${id}.`);
    return { ...done('secret successfully replaced'), result: channelJson(channel), secret: secret || null };
  }
}
