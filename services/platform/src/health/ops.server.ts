import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import express from 'express';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { InjectServiceInfo, type ServiceInfo } from '../process/service-info.ts';
import { together } from '../process/together.ts';
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

interface Report {
  ready: boolean;
  checks: Record<string, string>;
}

/** One address, and the services of this process that answer there. */
class Listener {
  readonly services = new Set<OpsServer>();
  private server: Server | undefined;

  async listen({ host, port }: OpsOptions): Promise<void> {
    const app = express().disable('x-powered-by');
    app.get('/healthz', (_request, response) => void response.json({ status: 'ok' }));
    app.get('/readyz', async (_request, response) => {
      const report = await this.report();
      response.status(report.ready ? 200 : 503).json(report);
    });
    app.get('/metrics', async (_request, response) => {
      // A scrape reports the present state of the dependencies, not that of the last check.
      await this.report();
      response.type(registry.contentType).send(await registry.metrics());
    });
    app.get('/*path', async (request, response, next) => {
      const { pathname, searchParams } = new URL(request.url, 'http://ops');
      const question = [...this.services].map((service) => service.question(pathname)).find((one) => one !== undefined);
      if (!question) return next();
      const status = await question(searchParams).then(
        (yes) => (yes ? 200 : 404),
        () => 503,
      );
      response.sendStatus(status);
    });
    this.server = app.listen(port, host);
    await once(this.server, 'listening');
  }

  close(): void {
    this.server?.close();
    this.server?.closeAllConnections();
  }

  /** Of a process with several services the checks bear their names. */
  private async report(): Promise<Report> {
    const all = await Promise.all(
      [...this.services].map(async (service) => [service.name, await service.report()] as const),
    );
    const alone = all.length === 1;
    const checks = all.flatMap(([name, { checks: own }]) =>
      Object.entries(own).map(([check, text]) => [alone ? check : `${name}.${check}`, text]),
    );
    // Services that have not started yet have no checks here.
    const started = together()?.started ?? true;
    return {
      ready: started && all.every(([, { ready }]) => ready),
      checks: Object.fromEntries(checks) as Record<string, string>,
    };
  }
}

/** The address that all services of a process share where it runs several. */
let shared: Listener | undefined;

/**
 * `/healthz` (the process runs), `/readyz` (so does what it depends on; 503 if not) and `/metrics` on a separate
 * address, so that the public one never answers them.
 */
@Injectable()
export class OpsServer implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = new Logger(OpsServer.name);
  private readonly questions = new Map<string, OpsQuestion>();
  private listener: Listener | undefined;
  private phase: 'starting' | 'serving' | 'stopping' = 'starting';

  constructor(
    private readonly health: HealthRegistry,
    @Inject(OPS_OPTIONS) private readonly options: OpsOptions,
    @InjectServiceInfo() private readonly info: ServiceInfo,
  ) {
    describeProcess(info.name, info.version);
  }

  get name(): string {
    return this.info.name;
  }

  /** Answers `GET path` from the start on: 200 for yes, 404 for no, 503 when nobody can say. */
  answer(path: string, question: OpsQuestion): void {
    this.questions.set(path, question);
  }

  question(path: string): OpsQuestion | undefined {
    return this.questions.get(path);
  }

  async report(): Promise<Report> {
    const report = await this.health.report(this.name);
    return { ...report, ready: report.ready && this.phase === 'serving' };
  }

  async onApplicationBootstrap(): Promise<void> {
    const joined = together() ? shared : undefined;
    this.listener = joined ?? new Listener();
    this.listener.services.add(this);
    if (joined) return;
    if (together()) shared = this.listener;
    await this.listener.listen(this.options);
    this.log.log({ host: this.options.host, port: this.options.port }, 'Health and metrics are served.');
  }

  /** Lets `/readyz` answer 200 from now on: the service listens wherever it is asked. */
  serve(): void {
    if (this.phase === 'starting') this.phase = 'serving';
  }

  /** Answers 503 on `/readyz` from now on, so that nothing new is sent here. */
  drain(): void {
    this.phase = 'stopping';
  }

  onApplicationShutdown(): void {
    this.listener?.services.delete(this);
    if (this.listener?.services.size === 0) this.listener.close();
  }
}
