/** A shell somewhere, as the probes see it: raw bytes in and out. */
export interface Terminal {
  write(text: string): void;
  /** Calls back with each piece of output; returns its undo. */
  onOutput(listener: (bytes: Uint8Array) => void): () => void;
  close(): Promise<void>;
}

/** A way to a shell on this machine. */
export interface Target {
  name: string;
  open(): Promise<Terminal>;
}

const PATIENCE_MS = 30_000;

/**
 * Waits until the output contains a text; searched in a window of the last 64 KiB.
 * @throws Error after 30 s, with the end of what came instead
 */
export function untilOutput(terminal: Terminal, text: string, act: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    let window = '';
    const undo = terminal.onOutput((bytes) => {
      window = (window + Buffer.from(bytes).toString('latin1')).slice(-65_536);
      if (!window.includes(text)) return;
      clearTimeout(timer);
      undo();
      resolve();
    });
    const timer = setTimeout(() => {
      undo();
      reject(new Error(`"${text}" did not come in 30 s; last: ${JSON.stringify(window.slice(-200))}`));
    }, PATIENCE_MS);
    act();
  });
}

/** Makes a shell ready for a probe: no prompt, no echo, raw. */
export async function quiet(terminal: Terminal): Promise<void> {
  // The quotes keep the echo of the command from looking like its output.
  await untilOutput(terminal, 'warren-ready', () => terminal.write("stty raw -echo; PS1=; echo warren'-'ready\n"));
}
