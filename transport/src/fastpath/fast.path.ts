/**
 * The fast path: code that uses Node, V8 or Engine.IO beyond their public API, all of it in this folder. Each part has a twin on public
 * API, which is used if the part's probe fails or with `WARREN_FAST_PATH=off`.
 */
export type FastPart = 'parser' | 'splice' | 'stream memory' | 'collection' | 'link pause' | 'socket frames';

const OFF = process.env['WARREN_FAST_PATH'] === 'off';
const results = new Map<FastPart, true | string>();

/**
 * Whether a part is usable, by a probe that runs once.
 * @param probe returns true if the part finds what it needs
 */
export function isFast(part: FastPart, probe: () => boolean): boolean {
  let result = results.get(part);
  if (result === undefined) {
    result = OFF ? 'WARREN_FAST_PATH=off' : tried(probe);
    results.set(part, result);
  }
  return result === true;
}

/** Lists the parts that are off, with the reason, in one line for the log; undefined when none is. */
export function slowParts(): string | undefined {
  const off = [...results].flatMap(([part, result]) => (result === true ? [] : [`${part} (${result})`]));
  return off.length === 0 ? undefined : `Parts of the fast path are off, public API serves instead: ${off.join(', ')}.`;
}

function tried(probe: () => boolean): true | string {
  try {
    return probe() || `Node ${process.version} has changed`;
  } catch (error) {
    return (error as Error).message;
  }
}
