/** Events of a call that wait until its terminal may be shown. Their number is bounded by the agent's window. */
export class HeldEvents {
  private held: (() => void)[] | undefined;

  get holds(): boolean {
    return this.held !== undefined;
  }

  hold(): void {
    this.held = [];
  }

  /** Handles an event at once, or after `release`. */
  handle(event: () => void): void {
    if (this.held) this.held.push(event);
    else event();
  }

  /**
   * Handles what has waited, in its order.
   * @throws the error of an event; those behind it are dropped
   */
  release(): void {
    const held = this.drop();
    for (const event of held) event();
  }

  drop(): (() => void)[] {
    const held = this.held ?? [];
    this.held = undefined;
    return held;
  }
}
