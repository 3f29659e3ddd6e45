import type { Sample } from '@warren/proto/fleet/v1/metrics';
import { encodeBatch, type Batch } from '../store/incoming.ts';

/** Samples of a device that wait. */
export interface Waiting {
  deviceId: string;
  /** As a row of `incoming` has them: a tenth of what the decoded samples take. */
  data: Buffer;
  samples: number;
}

interface Report {
  devices: readonly Waiting[];
  bytes: number;
  samples: number;
}

/** What a device takes besides its bytes, about. */
const OVERHEAD_BYTES = 250;

/** Reports that wait to be sent, bounded in bytes: a report that comes drops the oldest ones. */
export class ReportQueue {
  /** In the order in which they came. */
  private readonly reports = new Set<Report>();
  private used = 0;

  constructor(private readonly mostBytes: number) {}

  get bytes(): number {
    return this.used;
  }

  /** @returns the number of samples that were dropped */
  push(batches: readonly Batch[]): number {
    const devices = batches.map(waitingOf);
    const bytes = devices.reduce((sum, { data }) => sum + data.length + OVERHEAD_BYTES, 0);
    const report = { devices, bytes, samples: devices.reduce((sum, { samples }) => sum + samples, 0) };
    this.reports.add(report);
    this.used += bytes;
    let dropped = 0;
    for (const oldest of this.reports) {
      if (this.used <= this.mostBytes) break;
      dropped += oldest.samples;
      this.remove(oldest);
    }
    return dropped;
  }

  /** Takes the oldest reports, whole, until they have `mostDevices`; an empty list if none waits. */
  take(mostDevices: number): Waiting[] {
    const taken: Waiting[] = [];
    for (const report of this.reports) {
      if (taken.length > 0 && taken.length + report.devices.length > mostDevices) break;
      for (const device of report.devices) taken.push(device);
      this.remove(report);
    }
    return taken;
  }

  /** Drops all reports. @returns the number of samples that were dropped */
  clear(): number {
    const dropped = [...this.reports].reduce((sum, { samples }) => sum + samples, 0);
    this.reports.clear();
    this.used = 0;
    return dropped;
  }

  private remove(report: Report): void {
    this.reports.delete(report);
    this.used -= report.bytes;
  }
}

function waitingOf({ deviceId, samples }: { deviceId: string; samples: readonly Sample[] }): Waiting {
  return { deviceId, data: encodeBatch(samples), samples: samples.length };
}
