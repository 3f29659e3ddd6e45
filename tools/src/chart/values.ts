import { isMap, isScalar, isSeq, isAlias, parseDocument, type Document, type Pair, type YAMLMap } from 'yaml';

/** One value of the chart, from its line in values.yaml and the comment above it. */
export interface Value {
  /** `tunnels.autoscaling.enabled` */
  path: string[];
  description: string;
  standard: unknown;
  /** What it may be besides `null`: `integer`. */
  type: string | undefined;
  /** The values that it may have. */
  choices: string[] | undefined;
  /** A map or list whose insides are Kubernetes', not the chart's. */
  open: boolean;
}

/**
 * Reads values.yaml: each value has a comment that begins with `# --` and may hold `@type x`, `@enum a|b` or `@open`.
 * @throws Error naming a value without one
 */
export function readValues(text: string): Value[] {
  const document = parseDocument(text);
  const [problem] = document.errors;
  if (problem) throw new Error(problem.message);
  return isMap(document.contents) ? valuesOf(document, document.contents, []) : [];
}

function valuesOf(document: Document, map: YAMLMap, above: string[]): Value[] {
  return map.items.flatMap((pair, index) =>
    valueOf(document, pair, above, index === 0 ? map.commentBefore : undefined),
  );
}

function valueOf(document: Document, pair: Pair, above: string[], first: string | null | undefined): Value[] {
  if (!isScalar(pair.key)) return [];
  const path = [...above, String(pair.key.value)];
  const node = isAlias(pair.value) ? pair.value.resolve(document) : pair.value;
  const lines = (pair.key.commentBefore ?? first ?? '').split('\n').map((line) => line.trim());
  const comment = lines
    .filter((line) => line.startsWith('-- '))
    .join(' ')
    .slice(3);
  if (!comment && isMap(node)) return valuesOf(document, node, path);
  if (!comment) throw new Error(`${path.join('.')}: expected a comment that begins with # --`);
  return [
    {
      path,
      description: comment.replace(/\s*@((enum|type) \S+|open)/g, '').trim(),
      standard: isMap(node) || isSeq(node) ? node.toJSON() : isScalar(node) ? node.value : null,
      type: /@type (\S+)/.exec(comment)?.[1],
      choices: /@enum (\S+)/.exec(comment)?.[1]?.split('|'),
      open: comment.includes('@open'),
    },
  ];
}
