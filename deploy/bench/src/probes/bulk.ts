import { quiet, type Target } from '../terminal.ts';

/** Output of `megabytes` MB of one letter; MB/s from the first byte to the last. */
export async function bulk(target: Target, megabytes: number): Promise<number> {
  const terminal = await target.open();
  const wanted = megabytes * 1_000_000;
  try {
    await quiet(terminal);
    const seconds = await new Promise<number>((resolve) => {
      let got = 0;
      let start = 0;
      const undo = terminal.onOutput((bytes) => {
        if (got === 0) start = performance.now();
        got += bytes.length;
        if (got < wanted) return;
        undo();
        resolve((performance.now() - start) / 1_000);
      });
      terminal.write(`head -c ${wanted} /dev/zero | tr '\\0' x\n`);
    });
    return megabytes / seconds;
  } finally {
    await terminal.close();
  }
}
