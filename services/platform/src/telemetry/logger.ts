import { LoggerModule } from 'nestjs-pino';
import type { DynamicModule } from '@nestjs/common';
import type { IncomingMessage } from 'node:http';
import { v7 as uuidv7 } from 'uuid';
import type { CommonConfig } from '../config/common.ts';
import { traceFields } from './spans.ts';

const REQUEST_ID = /^[\w-]{8,64}$/;

/** The path without its query: queries can carry one-time tokens. */
function loggedPath(url: string | undefined): string {
  return (url ?? '').split('?', 1)[0] ?? '';
}

/** Structured logs on stdout: one JSON line an entry, with service name, for HTTP a request id, and within a trace its ids. */
export function loggerModule(name: string, config: Pick<CommonConfig, 'LOG_LEVEL'>): DynamicModule {
  return LoggerModule.forRoot({
    pinoHttp: {
      level: config.LOG_LEVEL,
      base: { service: name },
      mixin: traceFields,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      genReqId: (request: IncomingMessage) => {
        const given = request.headers['x-request-id'];
        return typeof given === 'string' && REQUEST_ID.test(given) ? given : uuidv7();
      },
      autoLogging: { ignore: (request) => loggedPath(request.url).startsWith('/assets/') },
      serializers: {
        req: (request: { id: string; method: string; url: string }) => ({
          id: request.id,
          method: request.method,
          path: loggedPath(request.url),
        }),
        res: (response: { statusCode: number }) => ({ status: response.statusCode }),
      },
    },
  });
}
