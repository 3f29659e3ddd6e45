import type { Target } from '../terminal.ts';

/** A prompt at the end of the output, with nothing but control sequences after it. */
// oxlint-disable-next-line no-control-regex -- ESC begins a control sequence (ECMA-48)
const PROMPT = /[$#%>] (?:\x1b\[[0-9;?]*[A-Za-z])*$/;
const PATIENCE_MS = 10_000;

/** Milliseconds since the click. */
export interface Opening {
  /** The terminal is there, and its program was started. */
  openedMs: number;
  /** Its prompt has come. */
  promptMs: number;
}

/**
 * From the click to the prompt on the wire: all that it takes to get a terminal, and its shell's start.
 * @throws Error when no prompt comes in 10 s
 */
export async function openToPrompt(target: Target): Promise<Opening> {
  const start = performance.now();
  const terminal = await target.open();
  const opened = performance.now();
  try {
    await new Promise<void>((resolve, reject) => {
      let text = '';
      const late = setTimeout(
        () => reject(new Error(`${target.name}: no prompt, only ${JSON.stringify(text)}`)),
        PATIENCE_MS,
      );
      terminal.onOutput((bytes) => {
        text = (text + Buffer.from(bytes).toString('latin1')).slice(-4_096);
        if (!PROMPT.test(text)) return;
        clearTimeout(late);
        resolve();
      });
    });
    return { openedMs: opened - start, promptMs: performance.now() - start };
  } finally {
    await terminal.close();
  }
}
