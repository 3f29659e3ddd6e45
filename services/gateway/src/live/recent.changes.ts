import type { Change } from './change.ts';

/** Changes that are kept. Of a fleet that changes faster, a page that missed something reads everything again. */
const MAX_KEPT = 4_096;
/** The latest changes that this process heard of, for pages that are older than their stream. */
export class RecentChanges {
  private kept: { at: number; change: Change }[] = [];
  /** Since when every change is here. */
  private whole: number;

  constructor(private readonly now: () => number = () => performance.now()) {
    this.whole = now();
  }

  add(change: Change): void {
    this.kept.push({ at: this.now(), change });
    // In halves: to shift each time would move them all.
    if (this.kept.length < 2 * MAX_KEPT) return;
    this.whole = this.kept[MAX_KEPT - 1]?.at ?? this.now();
    this.kept = this.kept.slice(MAX_KEPT);
  }

  /** Forgets all, since changes may have passed unheard. */
  forget(): void {
    this.kept = [];
    this.whole = this.now();
  }

  /**
   * Lists what changed in the last `ageMs` milliseconds, oldest first.
   * @returns undefined when not all of it is known
   */
  missed(ageMs: number): Change[] | undefined {
    const from = this.now() - ageMs;
    if (from <= this.whole) return undefined;
    const first = this.kept.findLastIndex(({ at }) => at < from) + 1;
    return this.kept.slice(first).map(({ change }) => change);
  }
}
