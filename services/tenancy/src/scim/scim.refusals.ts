import { Injectable } from '@nestjs/common';

/** Refused uses of a token that this process records in a minute. */
export const REFUSALS_A_MINUTE = 60;
const MINUTE_MS = 60_000;

/** Keeps the use of tokens that are not in force from flooding the audit trail. Known tokens alone are counted. */
@Injectable()
export class ScimRefusals {
  private minute = 0;
  private readonly counts = new Map<string, number>();

  admits(tokenId: string): boolean {
    const minute = Math.floor(Date.now() / MINUTE_MS);
    if (minute !== this.minute) this.counts.clear();
    this.minute = minute;
    const count = (this.counts.get(tokenId) ?? 0) + 1;
    this.counts.set(tokenId, count);
    return count <= REFUSALS_A_MINUTE;
  }
}
