import type { NestExpressApplication } from '@nestjs/platform-express';
import { repairOversized } from '@warren/platform/http/oversized';
import express from 'express';
import type { Server } from 'node:http';
import { GATEWAY_CONFIG, type GatewayConfig } from './config.ts';
import { consoleFiles } from './console/console.files.ts';
import { describeApi } from './openapi/document.ts';
import { DocsService } from './openapi/docs.service.ts';
import { compressed } from './http/compressed.ts';
import { JSON_LIMIT_BYTES, PROFILE_LIMIT_BYTES, SCIM_LIMIT_BYTES } from './http/limits.ts';
import { exceptForms, readableBodies, SCIM_TYPES } from './http/media.types.ts';
import { measured } from './http/metrics.ts';
import { requestId } from './http/request.id.ts';
import { securityHeaders } from './http/security.headers.ts';
import { SCIM_PATH } from './http/scim.fault.ts';
import { traced } from './http/traced.ts';

/** Sets up the middleware before the routes: headers, compression, the console's files, bodies. */
export function setUpHttp(app: NestExpressApplication): GatewayConfig {
  const config = app.get<GatewayConfig>(GATEWAY_CONFIG);
  repairOversized(app.getHttpServer() as Server, {
    label: 'Sign in again',
    secure: config.HUB_URL.startsWith('https:'),
    // Requests for web services arrive here if no proxy routes them.
    framedBy: config.HUB_URL,
  });
  app.disable('x-powered-by');
  app.set('trust proxy', config.TRUST_PROXY);
  // Responses of the API are never cached, so they need no ETag.
  app.set('etag', false);
  app.set('query parser', 'simple');
  app.use(requestId, measured, securityHeaders(config), compressed());
  app.use(consoleFiles(config.CONSOLE_DIR, { maps: config.NODE_ENV !== 'production' }));
  app.use(traced, readableBodies);
  app.use('/api/profile', express.json({ limit: PROFILE_LIMIT_BYTES }));
  app.use(SCIM_PATH, express.json({ limit: SCIM_LIMIT_BYTES, type: [...SCIM_TYPES] }));
  app.use(exceptForms(express.json({ limit: JSON_LIMIT_BYTES })));
  app.get(DocsService).describe(() => describeApi(app));
  return config;
}
