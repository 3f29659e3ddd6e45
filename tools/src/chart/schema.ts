import type { Value } from './values.ts';

/** A part of a JSON schema. */
interface Schema {
  [keyword: string]: unknown;
  properties?: Record<string, Schema>;
}

/** The schema of the chart's values: what values.yaml does not name is refused, and so is a wrong type. */
export function schemaOf(values: Value[]): string {
  const root = closedMap();
  for (const value of values) {
    let at = root;
    for (const step of value.path.slice(0, -1)) at = (at.properties ??= {})[step] ??= closedMap();
    (at.properties ??= {})[value.path.at(-1) ?? ''] = { description: value.description, ...kindOf(value) };
  }
  // Helm hands every chart `global`.
  (root.properties ??= {})['global'] = { type: 'object' };
  return `${JSON.stringify({ $schema: 'http://json-schema.org/draft-07/schema#', ...root }, undefined, 2)}\n`;
}

function closedMap(): Schema {
  return { type: 'object', additionalProperties: false, properties: {} };
}

function kindOf({ standard, type, choices, open }: Value): Schema {
  if (choices) return { enum: choices };
  if (type) return { type: [type, 'null'] };
  if (Array.isArray(standard))
    return { type: 'array', ...(!open && standard.length > 0 && { items: { type: jsonType(standard[0]) } }) };
  return { type: jsonType(standard), ...(typeof standard === 'number' && { minimum: 0 }) };
}

function jsonType(value: unknown): string {
  if (typeof value === 'number') return 'integer';
  if (value === null) throw new Error('expected @type beside a value that is null by default');
  return typeof value;
}
