import { NestFactory } from '@nestjs/core';
import type { OpenAPIObject } from '@nestjs/swagger';
import { appModule } from './app.module.ts';
import { gatewayConfig } from './config.ts';
import { describeApi } from './openapi/document.ts';

/** Describes the API without a hub: Nest makes the module graph but none of its instances. Nothing is connected to, nothing listens. */
export async function previewApi(): Promise<OpenAPIObject> {
  const config = gatewayConfig.parse({
    NODE_ENV: 'development',
    NATS_URL: 'nats://nowhere',
    REDIS_URL: 'redis://nowhere',
    HUB_URL: 'http://localhost:8080',
    SAML_PROVIDERS: JSON.stringify([{ id: 'none', name: 'None', metadata: 'none' }]),
  });
  const app = await NestFactory.create(appModule(config), { preview: true, logger: false, abortOnError: false });
  return describeApi(app);
}
