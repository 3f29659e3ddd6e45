import type { Caller } from '@warren/platform/rpc/caller';
import type { DeviceSamples, ReportMetricsRequest } from '@warren/proto/fleet/v1/metrics';

/** Substitutes the fleet process: keeps what it is given. */
export class FakeFleet {
  readonly samples: DeviceSamples[] = [];
  /** Awaited before samples are stored. */
  beforeSamples: () => Promise<void> = async () => {};

  reportMetrics = async (_caller: Caller, { devices }: ReportMetricsRequest): Promise<object> => {
    await this.beforeSamples();
    this.samples.push(...devices);
    return { refused: [] };
  };
}
