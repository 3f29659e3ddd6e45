type Listener = (bytes: Uint8Array) => void;

/** Output of a terminal for listeners; buffers what comes before the first one. */
export class Heard {
  private readonly listeners = new Set<Listener>();
  private early: Uint8Array[] | undefined = [];

  tell(bytes: Uint8Array): void {
    this.early?.push(bytes);
    for (const listener of [...this.listeners]) listener(bytes);
  }

  /** Returns its undo. */
  listen(listener: Listener): () => void {
    this.listeners.add(listener);
    const early = this.early ?? [];
    this.early = undefined;
    for (const bytes of early) listener(bytes);
    return () => this.listeners.delete(listener);
  }
}
