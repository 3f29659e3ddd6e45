import { Inject, Injectable } from '@nestjs/common';
import { UsageKind } from '@warren/proto/events/v1/events';
import { Tally, type TallyCounts } from './tally.ts';

export const METER_CLOCK = Symbol('MeterClock');

export interface MeterClock {
  /** Milliseconds since 1970: which hour it is. */
  wall: () => number;
  /** Milliseconds of a clock that is never set: how long something took. */
  steady: () => number;
}

export const SYSTEM_CLOCK: MeterClock = { wall: () => Date.now(), steady: () => performance.now() };

/** What was used within one hour. */
export interface HourlyCounts {
  /** Its beginning, milliseconds since 1970. */
  hour: number;
  counts: TallyCounts[];
}

const HOUR_MS = 3_600_000;
/** Hours that are kept while the bus is down; the oldest go first. */
const MAX_HOURS = 48;

/**
 * Counts what accounts use through this replica, by kind and by hours in UTC. Bytes are added to a number that the socket holds; time is
 * worked out when something opens or ends. Only accounts that have something open, or had since the last look, take memory.
 */
@Injectable()
export class UsageMeter {
  /** Hours whose counts were dropped: the bus was down for too long. */
  dropped = 0;
  private readonly tallies = new Map<string, Tally>();
  /** Counts of hours that have ended. */
  private past: HourlyCounts[] = [];
  private hour: number;

  constructor(@Inject(METER_CLOCK) private readonly clock: MeterClock) {
    this.hour = hourOf(clock.wall());
  }

  /** A use that does not count time yet. */
  use(accountId: string, kind: UsageKind): Use {
    const key = `${kind} ${accountId}`;
    let tally = this.tallies.get(key);
    if (!tally) this.tallies.set(key, (tally = new Tally(accountId, kind)));
    return new Use(this, tally);
  }

  /** The moment by the steady clock, once what belongs to an hour that has ended is put aside. */
  now(): number {
    const wall = this.clock.wall();
    const now = this.clock.steady();
    const hour = hourOf(wall);
    if (hour === this.hour) return now;
    const sinceEnd = wall - (this.hour + HOUR_MS);
    // After a clock was set back, the end of the hour is unknown.
    this.keep(this.takeAll(sinceEnd > 0 ? now - sinceEnd : now, true));
    this.hour = hour;
    return now;
  }

  /**
   * Takes what was counted since the last time.
   * @param devices whether the time of connected devices is taken, too
   */
  take(devices: boolean): HourlyCounts[] {
    this.keep(this.takeAll(this.now(), devices));
    const { past } = this;
    this.past = [];
    return past;
  }

  private takeAll(now: number, devices: boolean): TallyCounts[] {
    const taken: TallyCounts[] = [];
    for (const [key, tally] of this.tallies) {
      if (!devices && tally.kind === UsageKind.DEVICE) continue;
      const counts = tally.take(now);
      if (counts) taken.push(counts);
      if (tally.holders === 0) this.tallies.delete(key);
    }
    return taken;
  }

  private keep(counts: TallyCounts[]): void {
    if (counts.length === 0) return;
    this.past.push({ hour: this.hour, counts });
    if (this.past.length <= MAX_HOURS) return;
    this.past.shift();
    this.dropped++;
  }
}

/** Bytes that went each way in one session of a user. */
export interface Traffic {
  readonly bytesToDevice: number;
  readonly bytesFromDevice: number;
}

/** One socket, request or link that counts for an account. */
export class Use implements Traffic {
  bytesToDevice = 0;
  bytesFromDevice = 0;
  private state: 'new' | 'open' | 'ended' = 'new';

  constructor(
    private readonly meter: UsageMeter,
    private readonly tally: Tally,
  ) {
    tally.holders++;
  }

  toDevice(bytes: number): void {
    this.bytesToDevice += bytes;
    this.tally.bytesToDevice += bytes;
  }

  fromDevice(bytes: number): void {
    this.bytesFromDevice += bytes;
    this.tally.bytesFromDevice += bytes;
  }

  /** It is open: its time counts from now on. */
  begin(): void {
    if (this.state !== 'new') return;
    this.state = 'open';
    this.tally.begin(this.meter.now());
  }

  /** Nothing is counted any more. */
  end(): void {
    if (this.state === 'ended') return;
    if (this.state === 'open') this.tally.end(this.meter.now());
    this.state = 'ended';
    this.tally.holders--;
  }
}

function hourOf(wall: number): number {
  return wall - (wall % HOUR_MS);
}
