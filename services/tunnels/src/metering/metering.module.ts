import { Module } from '@nestjs/common';
import { BrokerModule } from '../broker/broker.module.ts';
import { METER_CLOCK, SYSTEM_CLOCK, UsageMeter } from './usage.meter.ts';
import { UsageReporter } from './usage.reporter.ts';

/** Counts what accounts use through this replica, and reports it. */
@Module({
  imports: [BrokerModule],
  providers: [{ provide: METER_CLOCK, useValue: SYSTEM_CLOCK }, UsageMeter, UsageReporter],
  exports: [UsageMeter, UsageReporter],
})
export class MeteringModule {}
