import { Fault } from '../errors/fault.ts';

/** Calls that one process works on at the same time. */
export const MAX_IN_FLIGHT = 512;
/** Calls of each service that a process works on even when others take all the rest. */
export const RESERVED = 64;

/**
 * Bounds the calls that a process works on at the same time. No service can starve another: each may always have {@link RESERVED} in flight.
 * The bound for all is {@link MAX_IN_FLIGHT} plus that reserve of each other service.
 */
export class CallSlots {
  private total = 0;
  private readonly byService = new Map<string, number>();

  /**
   * Refuses a call without a free slot.
   * @param service that signed the call; undefined for unsigned calls, which share one reserve
   * @throws Fault `resource_exhausted`
   */
  require(service: string | undefined): void {
    if (this.total < MAX_IN_FLIGHT || this.of(service) < RESERVED) return;
    throw new Fault('resource_exhausted', 'Too many calls at once.', { retryAfter: 1 });
  }

  /** Does work in a slot of a service. Throws as the work does. */
  async hold<T>(service: string | undefined, work: () => Promise<T>): Promise<T> {
    this.count(service, 1);
    try {
      return await work();
    } finally {
      this.count(service, -1);
    }
  }

  private of(service = ''): number {
    return this.byService.get(service) ?? 0;
  }

  private count(service: string | undefined, by: 1 | -1): void {
    this.total += by;
    this.byService.set(service ?? '', this.of(service) + by);
  }
}
