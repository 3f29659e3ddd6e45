/** Header lines as Node keeps them: name, value, name, value, … */
export type HeaderLines = readonly string[];

/** Hop-by-hop headers, whatever `Connection` names besides (RFC 9110, 7.6.1; RFC 7230, A.1.2). */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Header fields one by one. */
export function* fields(lines: HeaderLines): Generator<[name: string, value: string, lower: string]> {
  for (let index = 0; index + 1 < lines.length; index += 2) {
    const name = lines[index] as string;
    yield [name, lines[index + 1] as string, name.toLowerCase()];
  }
}

/** The first value of a header; `name` in lower case. */
export function valueOf(lines: HeaderLines, name: string): string | undefined {
  for (const [, value, lower] of fields(lines)) if (lower === name) return value;
  return undefined;
}

/**
 * Returns the lines for the next hop.
 * @param pass returns the value to pass on; undefined drops the line
 */
export function passOn(
  lines: HeaderLines,
  pass: (lower: string, value: string) => string | undefined = (_lower, value) => value,
): string[] {
  const named = connectionOptions(lines);
  const passed: string[] = [];
  for (let index = 0; index + 1 < lines.length; index += 2) {
    const name = lines[index] as string;
    const lower = name.toLowerCase();
    if (HOP_BY_HOP.has(lower) || named?.has(lower)) continue;
    const kept = pass(lower, lines[index + 1] as string);
    if (kept !== undefined) passed.push(name, kept);
  }
  return passed;
}

const CONNECTION = 'connection';

/** Headers that `Connection` names; most requests name none. */
function connectionOptions(lines: HeaderLines): Set<string> | undefined {
  let named: Set<string> | undefined;
  for (let index = 0; index + 1 < lines.length; index += 2) {
    // A hot loop for every request: names of another length are skipped without comparing letters.
    const name = lines[index] as string;
    if (name.length !== CONNECTION.length || name.toLowerCase() !== CONNECTION) continue;
    const value = lines[index + 1] as string;
    if (value === 'keep-alive' || value === 'close') continue;
    for (const option of value.toLowerCase().split(',')) {
      const name = option.trim();
      // `Connection` must not remove headers that frame the message.
      if (name === '' || name === 'close' || name === 'keep-alive' || FRAMING.has(name)) continue;
      (named ??= new Set()).add(name);
    }
  }
  return named;
}

const FRAMING = new Set(['content-length', 'content-type', 'host', 'cookie', 'authorization']);
