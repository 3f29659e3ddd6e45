/**
 * The fast path: code that uses Node, V8 or Engine.IO beyond their public API, all of it in this folder. Each part has a twin on public
 * API, which is taken where the part's probe fails and when `WARREN_FAST_PATH=off`.
 */
export type FastPart = 'parser' | 'splice' | 'stream memory' | 'collection' | 'link pause' | 'socket frames';

const OFF = process.env['WARREN_FAST_PATH'] === 'off';
const results = new Map<FastPart, true | string>();

/**
 * Tells whether a part may be used, by a probe that runs once.
 * @param probe true when what the part needs is there
 */
export function isFast(part: FastPart, probe: () => boolean): boolean {
  let result = results.get(part);
  if (result === undefined) {
    result = OFF ? 'WARREN_FAST_PATH=off' : tried(probe);
    results.set(part, result);
  }
  return result === true;
}

/** Says in one line for the log which of the probed parts are off, and why; undefined when none is. */
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
