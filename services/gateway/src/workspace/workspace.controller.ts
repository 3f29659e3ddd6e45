import { Controller, Get, Inject } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { VERSION } from '@warren/platform/service/service.module';
import { TenancyService } from '@warren/proto/tenancy/v1/tenancy';
import { z } from 'zod';
import { CurrentCaller } from '../auth/caller.decorator.ts';
import { GATEWAY_CONFIG, type GatewayConfig } from '../config.ts';
import { Describe } from '../http/api.decorators.ts';
import { idSchema } from '../http/schemas.ts';
import { FLEET } from '../http/example.fleet.ts';

/** What this version of the hub can open on a device. */
const FEATURES = { terminal: true, desktop: true, web: true } as const;

const workspaceSchema = z
  .object({
    product: z.string(),
    version: z.string(),
    hub_url: z.string().describe('The public origin of this hub.'),
    device_domain: z.string().describe('The web services of devices are at `{slug}.{device_domain}`.'),
    studio_origin: z
      .string()
      .describe(
        'Origins that may report the height of a framed page to the console, besides the device itself; empty: none.',
      ),
    operator_account_id: idSchema,
    operator_account_name: z.string(),
    features: z
      .object({ terminal: z.boolean(), desktop: z.boolean(), web: z.boolean() })
      .describe('What this version can open on a device.'),
  })
  .meta({
    id: 'Workspace',
    examples: [
      {
        product: 'Warren',
        version: '0.1.0',
        hub_url: 'https://hub.example.com',
        device_domain: 'devices.example.com',
        studio_origin: '',
        operator_account_id: FLEET.id,
        operator_account_name: 'Operator',
        features: FEATURES,
      },
    ],
  });

@ApiTags('workspace')
@Controller('server')
export class WorkspaceController {
  constructor(
    @InjectRpc(TenancyService) private readonly tenancy: RpcClient<typeof TenancyService>,
    @Inject(GATEWAY_CONFIG) private readonly config: Pick<GatewayConfig, 'HUB_URL' | 'DEVICE_DOMAIN' | 'STUDIO_ORIGIN'>,
  ) {}

  @Get('get_workspace')
  @Describe({ summary: 'Describes this installation.', answer: workspaceSchema })
  async getWorkspace(@CurrentCaller() caller: Caller) {
    const { operatorAccountId, operatorAccountName } = await this.tenancy.getWorkspace(caller, {});
    return {
      product: 'Warren',
      version: VERSION,
      hub_url: this.config.HUB_URL,
      device_domain: this.config.DEVICE_DOMAIN,
      studio_origin: this.config.STUDIO_ORIGIN ?? '',
      operator_account_id: operatorAccountId,
      operator_account_name: operatorAccountName,
      features: FEATURES,
    };
  }
}
