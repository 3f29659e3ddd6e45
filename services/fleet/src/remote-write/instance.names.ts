/** Names of one kind that a device may have: twice as many as a sample. */
const MOST_NAMES = 32;
/** A name that is not seen for that time makes room for another one. Prometheus keeps the series of two hours in memory. */
const FORGET_MS = 2 * 3_600_000;
/** Names of all devices, 8 each for 50,000 of them: about 80 MB if all are as long as names may be. */
const MOST_KEPT = 400_000;
/** Evicted at a time: the first entry of a Map is slow to find after many deletions. */
const EVICTED = 1 / 10;

/**
 * Bounds the names of mount points and interfaces, which devices choose: each is a separate series in the metrics store. Names that are in use
 * stay, so a device that invents others keeps its charts.
 */
export class InstanceNames {
  /** When names were last seen, by device and kind; the devices that were used last come last. */
  private readonly seen = new Map<string, Map<string, number>>();
  private kept = 0;

  /** @param mostKept names of all devices that are kept; beyond it those of the devices that were used first are forgotten */
  constructor(private readonly mostKept = MOST_KEPT) {}

  /** @param kind the label that has the name @returns whether its series may be sent */
  admit(deviceId: string, kind: string, name: string, now = Date.now()): boolean {
    const names = this.namesOf(`${kind} ${deviceId}`);
    if (!names.has(name)) {
      if (names.size >= MOST_NAMES) this.kept -= forget(names, now - FORGET_MS);
      if (names.size >= MOST_NAMES) return false;
      this.kept++;
    }
    names.set(name, now);
    if (this.kept > this.mostKept) this.evict();
    return true;
  }

  private namesOf(key: string): Map<string, number> {
    const names = this.seen.get(key) ?? new Map<string, number>();
    this.seen.delete(key);
    this.seen.set(key, names);
    return names;
  }

  private evict(): void {
    for (const [key, names] of this.seen) {
      if (this.kept <= this.mostKept * (1 - EVICTED)) return;
      this.seen.delete(key);
      this.kept -= names.size;
    }
  }
}

/** @returns how many names were forgotten */
function forget(names: Map<string, number>, until: number): number {
  const before = names.size;
  for (const [name, at] of names) if (at < until) names.delete(name);
  return before - names.size;
}
