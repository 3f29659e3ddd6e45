import 'reflect-metadata';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { OpenAPIObject } from '@nestjs/swagger';
import addFormats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { exampleOf, type Schema } from './examples.ts';
import { previewApi } from '../api.preview.ts';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
type Content = Record<string, { schema?: Schema; example?: unknown }>;

let document: OpenAPIObject;
let schemas: Record<string, Schema>;
let operations: Operation[];
const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);

beforeAll(async () => {
  document = await previewApi();
  schemas = document.components?.schemas as Record<string, Schema>;
  operations = Object.values(document.paths).flatMap((item) => METHODS.flatMap((method) => item[method] ?? []));
  ajv.addSchema({ $id: 'https://hub.example.com/api', components: document.components });
});

/** What is wrong with an example of a schema, by JSON Schema 2020-12; nothing if it is valid. */
function wrong(schema: Schema, example: unknown): string | undefined {
  const rooted = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"https://hub.example.com/api#/')) as object;
  const validate = ajv.compile(rooted);
  return validate(example) ? undefined : ajv.errorsText(validate.errors);
}

const contentOf = (part: unknown): Content => (part as { content?: Content } | undefined)?.content ?? {};
const responsesOf = (operation: Operation, isWanted: (status: number) => boolean) =>
  Object.entries(operation.responses).filter(([status]) => isWanted(Number(status)));

/** What is wrong with the examples of some content. */
function faults(where: string, content: Content): string[] {
  return Object.entries(content).flatMap(([type, { schema = {}, example }]) => {
    // Bytes, such as those of a picture.
    if (Object.keys(schema).length === 0) return [];
    const shown = example ?? exampleOf(schema, schemas);
    const fault = shown === undefined ? 'no example' : wrong(schema, shown);
    return fault === undefined ? [] : [`${where} (${type}): ${fault}`];
  });
}

describe('the examples of the document', () => {
  it('are there for the body of each operation, and valid', () => {
    const bodies = operations.filter(({ requestBody }) => requestBody);
    expect(bodies.length).toBeGreaterThan(50);
    expect(bodies.flatMap(({ operationId = '', requestBody }) => faults(operationId, contentOf(requestBody)))).toEqual(
      [],
    );
  });

  it('are there for each response with content, and valid', () => {
    const found = operations.flatMap((operation) => {
      const succeeding = responsesOf(operation, (status) => status < 300);
      expect([operation.operationId, succeeding.length]).toEqual([operation.operationId, 1]);
      return succeeding.flatMap(([status, answer]) => faults(`${operation.operationId} ${status}`, contentOf(answer)));
    });
    expect(found).toEqual([]);
  });

  it('are there for each error, with its status, and valid', () => {
    const found = operations.flatMap((operation) =>
      responsesOf(operation, (status) => status >= 400).flatMap(([status, answer]) => {
        const content = contentOf(answer);
        const { example } = content['application/json'] ?? {};
        const said = (example as { statusCode?: number } | undefined)?.statusCode;
        const where = `${operation.operationId} ${status}`;
        return said === Number(status) ? faults(where, content) : [`${where}: expected its example`];
      }),
    );
    expect(found).toEqual([]);
  });

  it('are valid wherever a schema has some', () => {
    const found: string[] = [];
    let seen = 0;
    const visit = (schema: Schema, where: string): void => {
      const { properties = {}, items, examples = [], anyOf = [], oneOf = [], allOf = [] } = schema;
      seen += examples.length;
      for (const example of examples) {
        const fault = wrong(schema, example);
        if (fault !== undefined) found.push(`${where}: ${fault}`);
      }
      expect([where, schema.example]).toEqual([where, undefined]);
      for (const [name, part] of Object.entries(properties)) visit(part, `${where}.${name}`);
      for (const part of [...anyOf, ...oneOf, ...allOf, ...(items ? [items] : [])]) visit(part, `${where}[]`);
    };
    for (const [name, schema] of Object.entries(schemas)) visit(schema, name);
    expect(seen).toBeGreaterThan(Object.keys(schemas).length);
    expect(found).toEqual([]);
  });
});

describe('the errors of the document', () => {
  it('are those that an operation can answer by its kind', () => {
    for (const operation of operations) {
      const isPublic = operation.security?.length === 0;
      const usual = [400, 429, 503, ...(isPublic ? [] : [401, 403]), ...(operation.requestBody ? [413, 415] : [])];
      const lacking = usual.filter((status) => !operation.responses[status]);
      expect([operation.operationId, lacking]).toEqual([operation.operationId, []]);
    }
  });
});
