/** Halves of 200 devices come down to one after 8 refusals; the rest is for a second one that is refused. */
const MOST_IN_A_ROW = 12;
const MOST_SPLITS = 40;

/** Bounds how often a refused request is sent again in halves: about 20 times if the store refuses all, 81 times if it refuses some. */
export class Splits {
  private left = MOST_SPLITS;
  private inARow = 0;

  accepted(): void {
    this.inARow = 0;
  }

  /** @param parts of the refused request @returns whether its halves may be sent */
  refused(parts: number): boolean {
    this.inARow++;
    return parts > 1 && this.inARow < MOST_IN_A_ROW && this.left-- > 0;
  }
}
