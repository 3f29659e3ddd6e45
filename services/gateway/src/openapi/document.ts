import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { VERSION } from '@warren/platform/service/service.module';
import { API_ERRORS } from '../http/api.errors.ts';
import { withExamples } from './examples.ts';
import { secured } from './security.ts';
import { convertSchema } from './zod.converter.ts';

const DESCRIPTION = [
  'The REST interface of Warren. Programs call it with an API token, `Authorization: Bearer wrn_…`; pages of the console with the cookie',
  "of a session, and then calls that change something must come from the hub's own origin. A call has one of the two, never both.",
  'Errors read `{statusCode, code, message}`: decide by `code`, show `message`.',
].join(' ');

/** The OpenAPI 3.1 description of every route of an application; the method's name is the operation's id. */
export function describeApi(app: INestApplication): OpenAPIObject {
  const base = new DocumentBuilder()
    .setOpenAPIVersion('3.1.1')
    .setTitle('Warren')
    .setDescription(DESCRIPTION)
    .setVersion(VERSION)
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .build();
  const document = SwaggerModule.createDocument(app, base, {
    operationIdFactory: (_controller, method) => method,
    standardSchemaConverter: convertSchema,
  });
  return withExamples(withMediaTypes(secured(document)));
}

const WITH_CONTENT = ['post', 'put', 'patch', 'delete'] as const;

/** Adds that an operation refuses a body of another type, or a large one. The answers have the form of the other errors. */
function withMediaTypes(document: OpenAPIObject): OpenAPIObject {
  for (const item of Object.values(document.paths)) {
    for (const { requestBody, responses } of WITH_CONTENT.flatMap((method) => item[method] ?? [])) {
      const invalid = responses['400'];
      const schema = invalid && 'content' in invalid && invalid.content?.['application/json']?.schema;
      if (!schema) continue;
      const answer = (status: number) => {
        const { description = '', example } = API_ERRORS[status] ?? {};
        return { description, content: { 'application/json': { schema, example } } };
      };
      const headers = { Accept: { description: 'The media type of bodies.', schema: { type: 'string' as const } } };
      responses['415'] = { ...answer(415), headers };
      if (requestBody) responses['413'] = answer(413);
    }
  }
  return document;
}
