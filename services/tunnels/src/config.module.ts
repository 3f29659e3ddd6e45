import { Module, type DynamicModule } from '@nestjs/common';
import { TUNNELS_CONFIG, type TunnelsConfig } from './config.ts';

@Module({})
export class ConfigModule {
  static forRoot(config: TunnelsConfig): DynamicModule {
    const provider = { provide: TUNNELS_CONFIG, useValue: config };
    return { module: ConfigModule, global: true, providers: [provider], exports: [provider] };
  }
}
