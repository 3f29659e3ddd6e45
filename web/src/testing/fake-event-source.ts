/** An EventSource that says what a test wants; all that were opened are in `opened`. */
export class FakeEventSource extends EventTarget {
  static opened: FakeEventSource[] = [];
  onopen: (() => void) | null = null;
  onerror: (() => void) | null = null;
  closed = false;

  constructor(readonly url: string) {
    super();
    FakeEventSource.opened.push(this);
  }

  close(): void {
    this.closed = true;
  }

  /** Opens, as one whose hub has nothing to tell of the past. */
  opens(): void {
    this.onopen?.();
    this.dispatchEvent(new Event('current'));
  }

  /** Tells a change on every stream that is open. */
  static say(change: unknown): void {
    const data = JSON.stringify(change);
    for (const source of FakeEventSource.opened.filter((one) => !one.closed)) {
      source.dispatchEvent(new MessageEvent('change', { data }));
    }
  }
}
