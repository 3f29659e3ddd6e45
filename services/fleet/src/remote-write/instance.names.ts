/** Names of one kind that a device may have: twice as many as a sample. */
const MOST_NAMES = 32;
/** A name that is not seen for that time makes room for another one. Prometheus keeps the series of two hours in memory. */
const FORGET_MS = 2 * 3_600_000;
const MOST_DEVICES = 50_000;

/**
 * Bounds the names of mount points and interfaces, which devices choose: each is a separate series in the metrics store. Names that are in use
 * stay, so a device that invents others keeps its charts.
 */
export class InstanceNames {
  /** When names were last seen, by device and kind. */
  private readonly seen = new Map<string, Map<string, number>>();

  /** @param kind the label that has the name @returns whether its series may be sent */
  admit(deviceId: string, kind: string, name: string, now = Date.now()): boolean {
    const names = this.namesOf(`${kind} ${deviceId}`);
    if (!names.has(name) && names.size >= MOST_NAMES) forget(names, now - FORGET_MS);
    if (!names.has(name) && names.size >= MOST_NAMES) return false;
    names.set(name, now);
    return true;
  }

  /** The devices that were used last stay. */
  private namesOf(key: string): Map<string, number> {
    const names = this.seen.get(key) ?? new Map<string, number>();
    this.seen.delete(key);
    this.seen.set(key, names);
    const [oldest] = this.seen.keys();
    if (this.seen.size > 2 * MOST_DEVICES && oldest !== undefined) this.seen.delete(oldest);
    return names;
  }
}

function forget(names: Map<string, number>, until: number): void {
  for (const [name, at] of names) if (at < until) names.delete(name);
}
