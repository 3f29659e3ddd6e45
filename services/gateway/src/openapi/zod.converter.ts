import type { SwaggerDocumentOptions } from '@nestjs/swagger';
import { z } from 'zod';

type StandardSchemaConverter = NonNullable<SwaggerDocumentOptions['standardSchemaConverter']>;

interface Written {
  definitions?: Record<string, object>;
  [keyword: string]: unknown;
}

/**
 * Writes a zod schema as OpenAPI 3.0. Schemas with an id (`.meta({id})`) become named components. Left out is what only says
 * how zod checks: the patterns of formats, the bounds of safe integers, and that answers have no further fields, so that
 * adding one breaks no client.
 */
export const convertSchema: StandardSchemaConverter = (schema, { schemaType }) => {
  if (!(schema instanceof z.ZodType)) return undefined;
  const { definitions = {}, ...rest } = z.toJSONSchema(schema, {
    target: 'openapi-3.0',
    io: schemaType,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      if (jsonSchema.format) delete jsonSchema.pattern;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (typeof jsonSchema.additionalProperties !== 'object') delete jsonSchema.additionalProperties;
    },
  }) as Written;
  return { schema: rest, components: definitions };
};
