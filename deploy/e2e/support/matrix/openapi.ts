import { z } from 'zod';

/** A JSON schema, with what it refers to put in. */
type Schema = Record<string, unknown>;

/** One value that an operation takes. */
export interface Field {
  name: string;
  in: 'path' | 'query' | 'body';
  required: boolean;
  schema: Schema;
}

/** One operation of the hub's description. */
export interface Operation {
  id: string;
  method: string;
  /** With `{name}` where a path parameter goes. */
  path: string;
  fields: Field[];
  /** True when it takes a JSON body. */
  hasBody: boolean;
  /** The permissions that a token needs for it; undefined if it is not for tokens. */
  permissions?: string[] | undefined;
  /** Whether it looks at no session. */
  isPublic: boolean;
}

const schema = z.record(z.string(), z.unknown());
const parameter = z.object({ name: z.string(), in: z.enum(['path', 'query']), required: z.boolean(), schema });
const described = z.object({
  operationId: z.string(),
  parameters: z.array(parameter).default([]),
  security: z.array(z.record(z.string(), z.array(z.string()))).default([]),
  requestBody: z.object({ content: z.record(z.string(), z.object({ schema })) }).optional(),
});
const document = z.object({
  paths: z.record(z.string(), z.record(z.string(), described)),
  components: z.object({ schemas: z.record(z.string(), schema) }),
});
type Components = z.output<typeof document>['components']['schemas'];

/** Puts in what `$ref` names (OpenAPI 3.0, Reference Object). */
function resolve(value: unknown, components: Components): unknown {
  if (Array.isArray(value)) return value.map((one) => resolve(one, components));
  if (typeof value !== 'object' || value === null) return value;
  const reference = (value as { $ref?: unknown }).$ref;
  if (typeof reference === 'string') return resolve(components[reference.split('/').at(-1) ?? ''], components);
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, resolve(one, components)]));
}

function bodyFields(body: Schema | undefined): Field[] {
  const { properties = {}, required = [] } = (body ?? {}) as {
    properties?: Record<string, Schema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: 'body' as const,
    schema: property,
    required: required.includes(name),
  }));
}

/** Every operation that the hub's OpenAPI document describes. */
export function readOperations(json: unknown): Operation[] {
  const { paths, components } = document.parse(json);
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const content = Object.values(operation.requestBody?.content ?? {})[0];
      const body = content && (resolve(content.schema, components.schemas) as Schema);
      const parameters = operation.parameters.map((one) => ({
        ...one,
        schema: resolve(one.schema, components.schemas) as Schema,
      }));
      return {
        id: operation.operationId,
        method: method.toUpperCase(),
        path,
        fields: [...parameters, ...bodyFields(body)],
        hasBody: content !== undefined,
        permissions: operation.security.find((scheme) => scheme['token'])?.['token'],
        isPublic: operation.security.length === 0,
      };
    }),
  );
}
