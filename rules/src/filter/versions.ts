const NUMBERS = 3;

/**
 * Compares two versions by the precedence of Semantic Versioning 2.0.0, section 11; missing numbers count as 0, build metadata not at all.
 * @returns less than 0 if `a` precedes `b`, 0 if neither does
 */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [partsOf(a), partsOf(b)];
  for (let i = 0; i < NUMBERS; i++) {
    const difference = (left.numbers[i] ?? 0) - (right.numbers[i] ?? 0);
    if (difference !== 0) return difference;
  }
  // A release comes after its pre-releases.
  if (left.pre.length === 0 || right.pre.length === 0) return right.pre.length - left.pre.length;
  return comparePre(left.pre, right.pre);
}

function partsOf(version: string): { numbers: number[]; pre: string[] } {
  const [core = '', ...pre] = (version.split('+', 1)[0] ?? '').split('-');
  const numbers = core.split('.', NUMBERS).map((text) => (/^\d{1,15}$/.test(text) ? Number(text) : 0));
  return { numbers, pre: pre.length === 0 ? [] : pre.join('-').split('.') };
}

function comparePre(a: readonly string[], b: readonly string[]): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const order = compareIdentifiers(a[i] ?? '', b[i] ?? '');
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

/** Numbers come before words. */
function compareIdentifiers(a: string, b: string): number {
  const [numericA, numericB] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (numericA && numericB) return Number(a) - Number(b);
  if (numericA !== numericB) return numericA ? -1 : 1;
  return a < b ? -1 : Number(a > b);
}
