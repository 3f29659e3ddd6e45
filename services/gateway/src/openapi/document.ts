import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { VERSION } from '@warren/platform/service/service.module';
import { convertSchema } from './zod.converter.ts';

const DESCRIPTION = [
  'The REST interface of Warren. A signed-in browser session authorises every call; calls that change something must come',
  "from the hub's own origin. Errors read `{statusCode, code, message}`: decide by `code`, show `message`.",
].join(' ');

/** The OpenAPI description of every route of an application; the method's name is the operation's id. */
export function describeApi(app: INestApplication): OpenAPIObject {
  const base = new DocumentBuilder()
    .setTitle('Warren')
    .setDescription(DESCRIPTION)
    .setVersion(VERSION)
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .build();
  return SwaggerModule.createDocument(app, base, {
    operationIdFactory: (_controller, method) => method,
    standardSchemaConverter: convertSchema,
  });
}
