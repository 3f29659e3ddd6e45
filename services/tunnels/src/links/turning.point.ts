/**
 * Something that happens once. Where nothing waits it takes two fields: an abort signal, of which a link would need three, takes half
 * a kilobyte, so it is made for the first who asks for it.
 */
export class TurningPoint {
  private done = false;
  private listeners: Set<() => void> | undefined;
  private controller: AbortController | undefined;

  get happened(): boolean {
    return this.done;
  }

  /** Aborted when it happens. */
  get signal(): AbortSignal {
    this.controller ??= new AbortController();
    if (this.done) this.controller.abort();
    return this.controller.signal;
  }

  /**
   * Calls back when it happens; not if it has happened.
   * @returns its undo
   */
  listen(listener: () => void): () => void {
    if (this.done) return () => {};
    const listeners = (this.listeners ??= new Set());
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }

  /** It happens now, unless it has. */
  happen(): void {
    if (this.done) return;
    this.done = true;
    const { listeners } = this;
    this.listeners = undefined;
    this.controller?.abort();
    for (const listener of listeners ?? []) listener();
  }
}
