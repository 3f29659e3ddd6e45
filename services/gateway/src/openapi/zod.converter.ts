import type { SwaggerDocumentOptions } from '@nestjs/swagger';
import { z } from 'zod';

type StandardSchemaConverter = NonNullable<SwaggerDocumentOptions['standardSchemaConverter']>;

interface Written {
  $defs?: Record<string, object>;
  [keyword: string]: unknown;
}

/**
 * Writes a zod schema as JSON Schema 2020-12, the dialect of OpenAPI 3.1. Schemas with an id (`.meta({id})`) become named components. Left
 * out is what only says how zod checks: the patterns of formats, and those that other languages can't read; the bounds of safe integers;
 * and that answers have no further fields, so that adding one breaks no client.
 */
export const convertSchema: StandardSchemaConverter = (schema, { schemaType }) => {
  if (!(schema instanceof z.ZodType)) return undefined;
  // The document names the dialect.
  const {
    $defs = {},
    $schema: _dialect,
    ...rest
  } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io: schemaType,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      // Zod leaves them out of input that it transforms, as if they were of the output. Examples of bodies are of what is sent.
      const { examples } = z.globalRegistry.get(zodSchema) ?? {};
      if (Array.isArray(examples)) jsonSchema.examples = examples;
      if (jsonSchema.format || !isPortable(jsonSchema.pattern)) delete jsonSchema.pattern;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (typeof jsonSchema.additionalProperties !== 'object') delete jsonSchema.additionalProperties;
    },
  }) as Written;
  return { schema: rest, components: $defs };
};

/** Whether regular expressions of other languages read a pattern: not with classes of Unicode or look-behind (JSON Schema, 6.4). */
function isPortable(pattern: string | undefined): boolean {
  return pattern === undefined || !/\\p\{|\(\?</.test(pattern);
}
