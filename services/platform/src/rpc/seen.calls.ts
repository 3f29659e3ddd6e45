import { Fault } from '../errors/fault.ts';

/** Of one service, some 10 MB. Calls of the usual 5 s come to that many at 13,000 a second, more than one process verifies. */
const MOST = 65_536;

/** Remembers the calls that a process has let through until their deadlines: those of each service by themselves, so that none takes the room of others. */
export class SeenCalls {
  private readonly byService = new Map<string, ServiceCalls>();

  /**
   * Remembers a call.
   * @param service that has signed it
   * @param name never the same for two calls
   * @param deadline milliseconds since 1970; later the callee refuses the call for being late
   * @returns false for a call that is remembered already
   * @throws Fault `resource_exhausted` when there is no room: a call that can't be remembered could be repeated
   */
  add(service: string, name: string, deadline: number): boolean {
    const calls = this.byService.get(service) ?? new ServiceCalls();
    this.byService.set(service, calls);
    return calls.add(name, deadline);
  }
}

/** The calls of one service. */
class ServiceCalls {
  /** Names of calls by the second (Unix time) in which their deadline passes. */
  private readonly bySecond = new Map<number, Set<string>>();
  private count = 0;

  /** As {@link SeenCalls.add}. */
  add(name: string, deadline: number): boolean {
    const second = Math.floor(deadline / 1_000);
    if (this.bySecond.get(second)?.has(name)) return false;
    if (this.count >= MOST) this.forget();
    if (this.count >= MOST)
      throw new Fault('resource_exhausted', 'Too many calls until their deadlines.', { retryAfter: 1 });
    this.setOf(second).add(name);
    this.count++;
    return true;
  }

  private setOf(second: number): Set<string> {
    const found = this.bySecond.get(second);
    if (found) return found;
    this.forget();
    const made = new Set<string>();
    this.bySecond.set(second, made);
    return made;
  }

  /** Drops the calls whose deadline has passed. */
  private forget(): void {
    const now = Math.floor(Date.now() / 1_000);
    for (const [second, names] of this.bySecond) {
      if (second >= now) continue;
      this.bySecond.delete(second);
      this.count -= names.size;
    }
  }
}
