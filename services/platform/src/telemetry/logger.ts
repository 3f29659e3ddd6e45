import { LoggerModule } from 'nestjs-pino';
import type { DynamicModule, LoggerService } from '@nestjs/common';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { v7 as uuidv7 } from 'uuid';
import type { CommonConfig } from '../config/common.ts';
import { together } from '../process/together.ts';
import { traceFields } from './spans.ts';

const REQUEST_ID = /^[\w-]{8,64}$/;

/** Tells what the access log says of who made a request, when it has been answered. */
export type AccessFields = (request: IncomingMessage) => Record<string, string | undefined>;

/** The path without its query: queries can carry one-time tokens. */
function loggedPath(url: string | undefined): string {
  return (url ?? '').split('?', 1)[0] ?? '';
}

/** By service: the first one of a process makes the log of all. */
const fieldsOf = new Map<string, AccessFields>();

/**
 * Structured logs on stdout: one JSON object a line, flat but for errors and details. Each has the service's name, within a request
 * `request_id`, and within a trace its ids.
 * @param who what else the line of an answered request says
 */
export function loggerModule(name: string, config: Pick<CommonConfig, 'LOG_LEVEL'>, who?: AccessFields): DynamicModule {
  if (who) fieldsOf.set(name, who);
  type Answered = { duration_ms: number };
  // Routers change `url` on the way.
  const pathOf = (request: IncomingMessage) => (request as { originalUrl?: string }).originalUrl ?? request.url;
  const access = (request: IncomingMessage, { statusCode }: ServerResponse, { duration_ms }: Answered) => ({
    method: request.method,
    path: loggedPath(pathOf(request)),
    status: statusCode,
    duration_ms,
    ...Object.assign({}, ...[...fieldsOf.values()].map((fields) => fields(request))),
  });
  return LoggerModule.forRoot({
    pinoHttp: {
      level: config.LOG_LEVEL,
      base: { service: together()?.name ?? name },
      mixin: traceFields,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      genReqId: (request: IncomingMessage) => {
        const given = request.headers['x-request-id'];
        return typeof given === 'string' && REQUEST_ID.test(given) ? given : uuidv7();
      },
      autoLogging: { ignore: (request) => loggedPath(request.url).startsWith('/assets/') },
      customAttributeKeys: { reqId: 'request_id', responseTime: 'duration_ms' },
      quietReqLogger: true,
      quietResLogger: true,
      customSuccessObject: access,
      customErrorObject: (request, response, _error, answered: Answered) => access(request, response, answered),
      customSuccessMessage: () => 'request completed',
      customErrorMessage: () => 'request failed',
      customLogLevel: (_request, { statusCode }) => levelOf(statusCode),
    },
  });
}

/** Only unexpected failures are errors: 502 to 504 report that another server is down. */
function levelOf(status: number): 'error' | 'warn' | 'info' {
  if (status === 500) return 'error';
  return status > 500 ? 'warn' : 'info';
}

/** Where Nest logs each module and route that it sets up. */
const SETTING_UP = new Set(['NestFactory', 'NestApplication', 'InstanceLoader', 'RoutesResolver', 'RouterExplorer']);

/** Moves what Nest says of itself while it starts to the level `debug`. */
export function quietStart(logger: LoggerService): LoggerService {
  const { debug = () => {} } = logger;
  return Object.assign(Object.create(logger) as LoggerService, {
    log: (message: unknown, ...rest: unknown[]) => {
      const write = SETTING_UP.has(String(rest.at(-1))) ? debug : logger.log;
      write.call(logger, message, ...rest);
    },
  });
}
