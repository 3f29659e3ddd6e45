import { Injectable } from '@nestjs/common';

/** Bytes of all recordings that may wait in this process for the store. */
const MOST = 128 << 20;
/** Of one recording: below the 2 MiB that an agent keeps, so that required recordings don't stop a program early. */
const LARGEST = 1_536 << 10;
const SMALLEST = 64 << 10;

/** Shares the memory of output that is not stored yet among the recordings of this process, so that a slow one takes nothing from others. */
@Injectable()
export class RecordingBudget {
  private recordings = 0;

  /** Bytes for each. */
  get share(): number {
    return Math.max(SMALLEST, Math.min(LARGEST, Math.floor(MOST / Math.max(1, this.recordings))));
  }

  /** @returns what gives the share back */
  join(): () => void {
    this.recordings++;
    return () => void this.recordings--;
  }
}
