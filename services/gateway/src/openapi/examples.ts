import type { OpenAPIObject } from '@nestjs/swagger';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** JSON Schema 2020-12, as far as the document uses it. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  example?: unknown;
  examples?: unknown[];
}

/**
 * Gives each named schema an example in the form of OpenAPI 3.1: the one that is written beside it, else one that is composed of the
 * examples of its parts.
 */
export function withExamples(document: OpenAPIObject): OpenAPIObject {
  const schemas = (document.components?.schemas ?? {}) as Record<string, Schema>;
  for (const schema of [...Object.values(schemas), ...unnamedOf(document)]) modernise(schema);
  for (const schema of Object.values(schemas)) {
    const example = schema.examples ? undefined : exampleOf(schema, schemas);
    if (example !== undefined) schema.examples = [example];
  }
  return document;
}

/** The schemas of bodies and parameters that have no name. */
function unnamedOf({ paths }: OpenAPIObject): Schema[] {
  type Part = { schema?: Schema; content?: Record<string, { schema?: Schema }> };
  const operations = Object.values(paths).flatMap((item) => METHODS.flatMap((method) => item[method] ?? []));
  const parts = operations.flatMap(({ parameters = [], requestBody = {}, responses }) => [
    ...(parameters as Part[]),
    requestBody as Part,
    ...(Object.values(responses) as Part[]),
  ]);
  return parts.flatMap((part) => [part, ...Object.values(part.content ?? {})].flatMap(({ schema }) => schema ?? []));
}

/** Turns `example`, which OpenAPI 3.1 deprecates in schemas, into the keyword of JSON Schema. */
function modernise(schema: Schema): void {
  if (schema.example !== undefined) schema.examples = [schema.example];
  delete schema.example;
  for (const part of [...Object.values(schema.properties ?? {}), ...choicesOf(schema)]) modernise(part);
  if (schema.items) modernise(schema.items);
}

const choicesOf = ({ anyOf = [], oneOf = [], allOf = [] }: Schema): Schema[] => [...anyOf, ...oneOf, ...allOf];

/** @returns undefined for a schema that has a part without an example */
export function exampleOf(schema: Schema, schemas: Readonly<Record<string, Schema>>): unknown {
  const { $ref, examples, type, properties, items } = schema;
  const named = $ref === undefined ? undefined : schemas[$ref.slice($ref.lastIndexOf('/') + 1)];
  if (named) return exampleOf(named, schemas);
  if (examples) return examples[0];
  if ('const' in schema) return schema.const;
  if (schema.enum) return schema.enum[0];
  const choices = choicesOf(schema);
  if (choices.length > 0) return choices.map((one) => exampleOf(one, schemas)).find((one) => one !== undefined);
  if (properties) return composed(properties, schemas);
  if (items) {
    const item = exampleOf(items, schemas);
    return item === undefined ? undefined : [item];
  }
  if (type === 'boolean') return true;
  return type === 'null' || (Array.isArray(type) && type.includes('null')) ? null : undefined;
}

function composed(properties: Record<string, Schema>, schemas: Readonly<Record<string, Schema>>): unknown {
  const fields = Object.entries(properties).map(([name, schema]) => [name, exampleOf(schema, schemas)]);
  return fields.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(fields);
}
