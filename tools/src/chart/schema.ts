import { SHAPES, type Schema } from './shapes.ts';
import type { Section, Value, Values } from './values.ts';

/** The schema of the chart's values: what values.yaml does not name is refused, and so is a wrong type or form. */
export function schemaOf({ values, sections }: Values): string {
  const root = treeOf(values);
  const definitions: Record<string, Schema> = {};
  for (const section of sections) {
    const shared = treeOf(sharedValues(values, section)).properties?.[section.like];
    share(definitions, section.like, nullable(shared ?? closedMap()), sectionOf(root, section.path));
  }
  // A parent chart's values for all its charts.
  Object.assign(sectionOf(root, ['global']), { additionalProperties: true });
  const head = { $schema: 'http://json-schema.org/draft-07/schema#', definitions };
  return `${JSON.stringify({ ...head, ...root }, undefined, 2)}\n`;
}

/** Gives a section what it shares with another one: each value that it does not have itself, as a reference. */
function share(definitions: Record<string, Schema>, at: string, shared: Schema, own: Schema): void {
  for (const [name, schema] of Object.entries(shared.properties ?? {})) {
    const has = own.properties?.[name];
    const path = `${at}.${name}`;
    if (has?.properties && schema.properties) share(definitions, path, schema, has);
    if (has) continue;
    definitions[path] = schema;
    (own.properties ??= {})[name] = { $ref: `#/definitions/${path}` };
  }
}

function sharedValues(values: Value[], { like, pod }: Section): Value[] {
  return values.filter((value) => value.path[0] === like && (value.pod || !pod));
}

function treeOf(values: Value[]): Schema {
  const root = closedMap();
  for (const value of values) {
    const holder = sectionOf(root, value.path.slice(0, -1));
    (holder.properties ??= {})[value.path.at(-1) ?? ''] = { description: value.description, ...kindOf(value) };
  }
  return root;
}

function sectionOf(root: Schema, path: string[]): Schema {
  let at = root;
  for (const step of path) at = (at.properties ??= {})[step] ??= closedMap();
  return at;
}

function closedMap(): Schema {
  return { type: 'object', additionalProperties: false, properties: {} };
}

/** The same, where `null` stands for the value that it falls back to. */
function nullable(schema: Schema): Schema {
  if (schema.properties && schema['description'] === undefined)
    return {
      ...schema,
      properties: Object.fromEntries(Object.entries(schema.properties).map(([name, one]) => [name, nullable(one)])),
    };
  if (Array.isArray(schema['enum'])) return { ...schema, enum: [...(schema['enum'] as unknown[]), null] };
  return { ...schema, type: [schema['type'], 'null'].flat() };
}

function kindOf({ path, standard, choices, shape, min, max, open }: Value): Schema {
  if (choices) return { enum: choices };
  if (shape) {
    const known = SHAPES[shape];
    if (!known) throw new Error(`${path.join('.')}: expected a name of SHAPES after @shape (came: ${shape})`);
    return known;
  }
  if (Array.isArray(standard))
    return { type: 'array', ...(!open && standard.length > 0 && { items: { type: jsonType(standard[0]) } }) };
  const bounds = { minimum: min ?? 0, ...(max !== undefined && { maximum: max }) };
  return { type: jsonType(standard), ...(typeof standard === 'number' && bounds) };
}

function jsonType(value: unknown): string {
  return typeof value === 'number' ? 'integer' : typeof value;
}
