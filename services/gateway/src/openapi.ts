import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { appModule } from './app.module.ts';
import { gatewayConfig } from './config.ts';
import { describeApi } from './openapi/document.ts';

// In preview Nest makes the module graph but none of its instances: nothing is connected to, nothing listens.
const config = gatewayConfig.parse({
  NODE_ENV: 'development',
  NATS_URL: 'nats://nowhere',
  REDIS_URL: 'redis://nowhere',
  HUB_URL: 'http://localhost:8080',
  SAML_PROVIDERS: JSON.stringify([{ id: 'none', name: 'None', metadata: 'none' }]),
});
const app = await NestFactory.create(appModule(config), { preview: true, logger: false, abortOnError: false });
const file = resolve(import.meta.dirname, '../dist/openapi.json');
await writeFile(file, `${JSON.stringify(describeApi(app), undefined, 2)}\n`);
process.stdout.write(`${file}\n`);
