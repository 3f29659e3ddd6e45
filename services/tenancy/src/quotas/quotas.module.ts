import { Module, type DynamicModule } from '@nestjs/common';
import { quotaDefaults } from '@warren/platform/config/quotas';
import type { TenancyConfig } from '../config.ts';
import { QUOTA_DEFAULTS } from './quota.defaults.ts';
import { QuotasService } from './quotas.service.ts';
import { UsersQuota } from './users.quota.ts';

/** What accounts may have. */
@Module({})
export class QuotasModule {
  static forRoot(config: TenancyConfig): DynamicModule {
    return {
      module: QuotasModule,
      global: true,
      providers: [{ provide: QUOTA_DEFAULTS, useValue: quotaDefaults(config) }, QuotasService, UsersQuota],
      exports: [QUOTA_DEFAULTS, QuotasService, UsersQuota],
    };
  }
}
