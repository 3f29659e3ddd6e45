import { isMap, isScalar, isSeq, isAlias, parseDocument, type Document, type Pair, type YAMLMap } from 'yaml';

/** One value of the chart, from its line in values.yaml and the comment above it. */
export interface Value {
  /** `tunnels.autoscaling.enabled` */
  path: string[];
  description: string;
  standard: unknown;
  /** The values that it may have. */
  choices: string[] | undefined;
  /** The name of its form in SHAPES. */
  shape: string | undefined;
  min: number | undefined;
  max: number | undefined;
  /** A map or list whose insides are Kubernetes', not the chart's. */
  open: boolean;
  /** Whether Jobs and bundled servers have it as well. */
  pod: boolean;
  /** As YAML in one line. */
  example: string | undefined;
}

/** A section that takes the values of another one as well. */
export interface Section {
  path: string[];
  /** The other section's name. */
  like: string;
  /** Only those that are marked `@pod`. */
  pod: boolean;
}

/** What values.yaml holds. */
export interface Values {
  values: Value[];
  sections: Section[];
}

/**
 * Reads values.yaml. Each value has a comment that begins with `# --` and may hold `@enum a|b`, `@shape name`, `@min 1`, `@max 9`,
 * `@open` or `@pod`; `# @example` may follow in a line. The comment of a section may be `# @like section`, with `@pod`.
 * @throws Error naming a value without one
 */
export function readValues(text: string): Values {
  const document = parseDocument(text);
  const [problem] = document.errors;
  if (problem) throw new Error(problem.message);
  const found: Values = { values: [], sections: [] };
  if (isMap(document.contents)) readMap(document, document.contents, [], found);
  return found;
}

function readMap(document: Document, map: YAMLMap, above: string[], found: Values): void {
  for (const [index, pair] of map.items.entries())
    readPair(document, pair, above, index === 0 ? map.commentBefore : undefined, found);
}

function readPair(document: Document, pair: Pair, above: string[], first: string | null | undefined, found: Values) {
  if (!isScalar(pair.key)) return;
  const path = [...above, String(pair.key.value)];
  const node = isAlias(pair.value) ? pair.value.resolve(document) : pair.value;
  const lines = (pair.key.commentBefore ?? first ?? '').split('\n').map((line) => line.trim());
  const comment = lines
    .filter((line) => line.startsWith('-- '))
    .join(' ')
    .slice(3);
  if (comment) {
    const standard = isMap(node) || isSeq(node) ? node.toJSON() : isScalar(node) ? node.value : null;
    found.values.push(valueOf(path, comment, standard, after(lines, '@example ')));
    return;
  }
  if (!isMap(node)) throw new Error(`${path.join('.')}: expected a comment that begins with # --`);
  const [like, ...marks] = after(lines, '@like ')?.split(' ') ?? [];
  if (like) found.sections.push({ path, like, pod: marks.includes('@pod') });
  readMap(document, node, path, found);
}

const after = (lines: string[], mark: string) => lines.find((line) => line.startsWith(mark))?.slice(mark.length);

function valueOf(path: string[], comment: string, standard: unknown, example: string | undefined): Value {
  const mark = (name: string) => new RegExp(`@${name} (\\S+)`).exec(comment)?.[1];
  const number = (name: string) => (mark(name) === undefined ? undefined : Number(mark(name)));
  return {
    path,
    description: comment.replace(/\s*@((enum|shape|min|max) \S+|open|pod)/g, '').trim(),
    standard,
    choices: mark('enum')?.split('|'),
    shape: mark('shape'),
    min: number('min'),
    max: number('max'),
    open: comment.includes('@open'),
    pod: comment.includes('@pod'),
    example,
  };
}
