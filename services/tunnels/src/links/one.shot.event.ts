/**
 * An event that fires once. An idle one takes two fields: a link has three, and an abort signal takes half a kilobyte, so the
 * signal is created on first use.
 */
export class OneShotEvent {
  private done = false;
  private listeners: Set<() => void> | undefined;
  private controller: AbortController | undefined;

  get fired(): boolean {
    return this.done;
  }

  /** Aborts when the event fires. */
  get signal(): AbortSignal {
    this.controller ??= new AbortController();
    if (this.done) this.controller.abort();
    return this.controller.signal;
  }

  /**
   * Calls back when the event fires; never if it has fired already.
   * @returns its undo
   */
  listen(listener: () => void): () => void {
    if (this.done) return () => {};
    const listeners = (this.listeners ??= new Set());
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }

  /** Fires the event, once. */
  fire(): void {
    if (this.done) return;
    this.done = true;
    const { listeners } = this;
    this.listeners = undefined;
    this.controller?.abort();
    for (const listener of listeners ?? []) listener();
  }
}
