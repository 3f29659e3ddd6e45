/** What a shell with integration says about a command: that it runs now, with its text if the shell sends it, or that it is done. */
export type PromptMark = { kind: 'runs'; text: string } | { kind: 'done'; exit: number | null };

const ESC = 0x1b;
const BELL = 0x07;
const BACKSLASH = 0x5c;
const BRACKET = 0x5d;
/** Longer control strings are something else, such as pictures. */
const MOST_BYTES = 4_096;
const MOST_TEXT = 300;

const decoder = new TextDecoder();

/**
 * Finds the prompt marks of a shell in output (OSC 133 of FinalTerm, with kitty's `cmdline_url`; OSC 633 of Visual Studio Code). Output may
 * be split anywhere.
 */
export class PromptMarks {
  /** Bytes of the control string that has begun; null outside one. */
  private inside: number[] | null = null;
  private before = 0;
  private typed = '';

  /** The marks that end in these bytes, in order. */
  read(bytes: Uint8Array): PromptMark[] {
    const found: PromptMark[] = [];
    for (let at = this.inside ? 0 : this.begin(bytes, 0); at < bytes.length; at++) {
      const byte = bytes[at] ?? 0;
      if (this.inside) this.take(byte, found);
      else if (this.before === ESC && byte === BRACKET) this.inside = [];
      this.before = byte;
      if (!this.inside && byte !== ESC) at = this.begin(bytes, at + 1) - 1;
    }
    return found;
  }

  /** Where the next control sequence may begin. */
  private begin(bytes: Uint8Array, from: number): number {
    if (this.before === ESC) return from;
    const next = bytes.indexOf(ESC, from);
    return next < 0 ? bytes.length : next;
  }

  private take(byte: number, found: PromptMark[]): void {
    const inside = this.inside ?? [];
    const isEnd = byte === BELL || (byte === BACKSLASH && this.before === ESC);
    if (!isEnd && inside.length < MOST_BYTES) {
      inside.push(byte);
      return;
    }
    this.inside = null;
    const text = isEnd ? decoder.decode(Uint8Array.from(byte === BELL ? inside : inside.slice(0, -1))) : '';
    const mark = this.markOf(text);
    if (mark) found.push(mark);
  }

  private markOf(control: string): PromptMark | undefined {
    const [number, kind, ...values] = control.split(';');
    if (number !== '133' && number !== '633') return undefined;
    if (kind === 'E') this.typed = unescaped(values[0] ?? '');
    if (kind === 'D') return { kind: 'done', exit: /^\d{1,3}$/.test(values[0] ?? '') ? Number(values[0]) : null };
    if (kind !== 'C') return undefined;
    const text = this.typed || commandLine(values);
    this.typed = '';
    return { kind: 'runs', text: text.slice(0, MOST_TEXT) };
  }
}

function commandLine(values: readonly string[]): string {
  const encoded = values.find((value) => value.startsWith('cmdline_url='))?.slice('cmdline_url='.length);
  try {
    return encoded ? decodeURIComponent(encoded) : '';
  } catch {
    return '';
  }
}

/** Undoes the escapes of OSC 633: `\x3b` and `\\`. */
const unescaped = (text: string) =>
  text.replaceAll(/\\(?:x([0-9a-f]{2})|\\)/gi, (_, hex?: string) =>
    hex ? String.fromCharCode(Number.parseInt(hex, 16)) : '\\',
  );
