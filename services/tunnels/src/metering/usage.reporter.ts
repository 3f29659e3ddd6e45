import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { EventBus } from '@warren/platform/events/event.bus';
import { newEvent, type Event } from '@warren/platform/events/event';
import { setTimeout as wait } from 'node:timers/promises';
import { Lease } from '../broker/lease.ts';
import { usageReported } from '../telemetry/metrics.ts';
import { METER_CLOCK, UsageMeter, type HourlyCounts, type MeterClock } from './usage.meter.ts';

const MINUTE_MS = 60_000;
/** Connected devices are reported each so many minutes: most accounts have some, and their number is not what people wait for. */
const DEVICE_MINUTES = 10;
/** Counts in one event, well below what the bus takes (1 MiB). */
const TOGETHER = 4_000;

/**
 * Tells once a minute what accounts have used. Each event goes out under the same id until the bus has it; what is counted meanwhile
 * waits in the meter.
 */
@Injectable()
export class UsageReporter implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = new Logger(UsageReporter.name);
  private readonly unsent: Event[] = [];
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private failing = false;
  private dropped = 0;

  constructor(
    private readonly meter: UsageMeter,
    private readonly bus: EventBus,
    private readonly lease: Lease,
    @Inject(METER_CLOCK) private readonly clock: MeterClock,
  ) {}

  onApplicationBootstrap(): void {
    usageReported.setToCurrentTime();
    this.schedule();
  }

  onApplicationShutdown(): void {
    clearTimeout(this.timer);
  }

  /** Reports everything, or as much as the bus takes within `timeoutMs`. */
  async flush(timeoutMs: number): Promise<void> {
    clearTimeout(this.timer);
    await Promise.race([this.finish(), wait(timeoutMs, undefined, { ref: false })]);
  }

  /** A report now, or the end of the one that runs. Never rejects. */
  report(devices: boolean): Promise<void> {
    this.running ??= this.tryOnce(devices).finally(() => (this.running = undefined));
    return this.running;
  }

  private async finish(): Promise<void> {
    await this.running;
    await this.report(true);
    // What was left from before went first.
    if (!this.failing) await this.report(true);
  }

  /** With the minutes of the clock, so that each hour ends with a report. */
  private schedule(): void {
    const wall = this.clock.wall();
    this.timer = setTimeout(
      () => {
        const minute = Math.round(this.clock.wall() / MINUTE_MS);
        void this.report(minute % DEVICE_MINUTES === 0);
        this.schedule();
      },
      MINUTE_MS - (wall % MINUTE_MS),
    ).unref();
  }

  private async tryOnce(devices: boolean): Promise<void> {
    try {
      if (this.unsent.length === 0) this.unsent.push(...this.meter.take(devices).flatMap((of) => this.eventsOf(of)));
      for (let [event] = this.unsent; event; [event] = this.unsent) {
        await this.bus.publish(event);
        this.unsent.shift();
      }
      usageReported.setToCurrentTime();
      this.failing = false;
    } catch (error) {
      if (!this.failing) this.log.warn({ err: error }, 'Usage could not be reported; again with the next minute.');
      this.failing = true;
    }
    if (this.meter.dropped > this.dropped) this.log.error('Usage of an hour is lost: the bus was down for too long.');
    this.dropped = this.meter.dropped;
  }

  private eventsOf({ hour, counts }: HourlyCounts): Event[] {
    const events: Event[] = [];
    for (let at = 0; at < counts.length; at += TOGETHER) {
      const usage = counts.slice(at, at + TOGETHER).map((one) => ({
        accountId: one.accountId,
        kind: one.kind,
        openMs: BigInt(one.openMs),
        opened: BigInt(one.opened),
        bytesToDevice: BigInt(one.bytesToDevice),
        bytesFromDevice: BigInt(one.bytesFromDevice),
      }));
      const value = { replica: this.lease.replica, hour: timestampFromMs(hour), usage };
      events.push(newEvent({ kind: { case: 'usageCounted', value } }));
    }
    return events;
  }
}
