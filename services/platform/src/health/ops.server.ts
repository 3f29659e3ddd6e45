import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import express from 'express';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { InjectServiceInfo, type ServiceInfo } from '../service/service-info.ts';
import { describeProcess, registry } from '../telemetry/metrics.ts';
import { HealthRegistry } from './health.registry.ts';

/** Where operators look. */
export interface OpsOptions {
  host: string;
  port: number;
}
export const OPS_OPTIONS = Symbol('OpsOptions');

/** A yes or no that something beside this process needs to know. */
export type OpsQuestion = (query: URLSearchParams) => Promise<boolean>;

/**
 * `/healthz` (the process runs), `/readyz` (so does what it depends on; 503 if not) and `/metrics` on an address of their
 * own, so that the public one never answers them.
 */
@Injectable()
export class OpsServer implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = new Logger(OpsServer.name);
  private readonly questions = new Map<string, OpsQuestion>();
  private server: Server | undefined;
  private stopping = false;

  constructor(
    private readonly health: HealthRegistry,
    @Inject(OPS_OPTIONS) private readonly options: OpsOptions,
    @InjectServiceInfo() info: ServiceInfo,
  ) {
    describeProcess(info.name, info.version);
  }

  /** Answers `GET path` from the start on: 200 for yes, 404 for no, 503 when nobody can say. */
  answer(path: string, question: OpsQuestion): void {
    this.questions.set(path, question);
  }

  async onApplicationBootstrap(): Promise<void> {
    const app = express().disable('x-powered-by');
    app.get('/healthz', (_request, response) => void response.json({ status: 'ok' }));
    app.get('/readyz', async (_request, response) => {
      const report = await this.health.report();
      const ready = report.ready && !this.stopping;
      response.status(ready ? 200 : 503).json({ ...report, ready });
    });
    app.get('/metrics', async (_request, response) => {
      // Whoever scrapes learns of the dependencies as they are now, not as they were when somebody last asked.
      await this.health.report();
      response.type(registry.contentType).send(await registry.metrics());
    });
    for (const [path, question] of this.questions) {
      app.get(path, async (request, response) => {
        const query = new URL(request.url, 'http://ops').searchParams;
        const status = await question(query).then(
          (yes) => (yes ? 200 : 404),
          () => 503,
        );
        response.sendStatus(status);
      });
    }
    this.server = app.listen(this.options.port, this.options.host);
    await once(this.server, 'listening');
    this.log.log(`Health and metrics on http://${this.options.host}:${this.options.port}`);
  }

  /** Answers 503 on `/readyz` from now on, so that nothing new is sent here. */
  drain(): void {
    this.stopping = true;
  }

  onApplicationShutdown(): void {
    this.server?.close();
    this.server?.closeAllConnections();
  }
}
