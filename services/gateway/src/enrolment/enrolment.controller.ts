import { Body, Controller, Delete, Inject, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { DevicesService } from '@warren/proto/devices/v1/devices';
import { labels } from '@warren/rules/labels';
import { LIMITS } from '@warren/rules/limits';
import { z } from 'zod';
import { CurrentCaller } from '../auth/caller.decorator.ts';
import { GATEWAY_CONFIG, type GatewayConfig } from '../config.ts';
import { Describe } from '../http/api.decorators.ts';
import { done, doneSchema } from '../http/done.ts';
import { idSchema, isoTime, timeSchema } from '../http/schemas.ts';
import { installCommand } from '../install/install.command.ts';
import { FLEET } from '../http/example.fleet.ts';

const createTokenBody = z
  .object({
    account: idSchema.describe('The account that the devices will belong to.'),
    labels: labels.default({}).describe('Labels of the devices that enrol with it.'),
    devices: z.int().min(1).max(LIMITS.enrolDevices).default(1).describe('How many devices may enrol with it.'),
  })
  .meta({
    id: 'EnrolmentTokenRequest',
    examples: [{ account: FLEET.account.id, labels: { site: 'north' }, devices: 5 }],
  });
type CreateTokenBody = z.output<typeof createTokenBody>;

const enrolmentTokenSchema = z
  .object({
    id: idSchema.describe('What it is revoked by.'),
    token: z.string(),
    expires: timeSchema,
    command: z.string().describe('The line to run on a device.'),
    room: z
      .int()
      .nullable()
      .describe(
        'How many devices the account may still add. Null: any number. One that was set up again needs no room.',
      ),
  })
  .meta({
    id: 'EnrolmentToken',
    examples: [
      {
        id: FLEET.id,
        token: 'Hq4w3jzQ0mYVt5fG8rS1kLx2uN7aPcE9dToIbWvRyZA',
        expires: FLEET.later,
        command: "curl -fsSL 'https://hub.example.com/install/…?token=…' | sudo sh",
        room: 488,
      },
    ],
  });

@ApiTags('enrolment')
@Controller('api/enrolment_tokens')
export class EnrolmentController {
  constructor(
    @InjectRpc(DevicesService) private readonly devices: RpcClient<typeof DevicesService>,
    @Inject(GATEWAY_CONFIG) private readonly config: Pick<GatewayConfig, 'HUB_URL'>,
  ) {}

  @Post()
  @Describe({
    summary: 'Makes a token that enrols devices, and the command that uses it.',
    answer: enrolmentTokenSchema,
    status: 201,
    errors: [404],
  })
  async createEnrolmentToken(
    @CurrentCaller() caller: Caller,
    @Body({ schema: createTokenBody }) body: CreateTokenBody,
  ) {
    const { account: accountId, devices: uses, labels } = body;
    const {
      id,
      token,
      expires,
      room = null,
    } = await this.devices.createEnrolmentToken(caller, { accountId, uses, labels });
    const command = installCommand(this.config.HUB_URL, accountId, token);
    return { id, token, expires: isoTime(expires), command, room };
  }

  @Delete(':account/:id')
  @Describe({
    summary: 'Revokes a token that enrols devices: it lets none in any more.',
    description: 'Those who may make one. Devices that came with it stay.',
    answer: doneSchema,
    errors: [404],
  })
  async revokeEnrolmentToken(
    @CurrentCaller() caller: Caller,
    @Param('account', { schema: idSchema }) accountId: string,
    @Param('id', { schema: idSchema }) id: string,
  ) {
    await this.devices.revokeEnrolmentToken(caller, { accountId, id });
    return done('enrolment token successfully revoked');
  }
}
