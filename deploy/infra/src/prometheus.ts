import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { freePort } from './ports.ts';
import { requireProgram } from './programs.ts';
import { until } from './until.ts';

const compiled = resolve(import.meta.dirname, '../../../.warren/tools');

/**
 * Paths of the versions of Prometheus: version 2 is a package of the system; version 3 is compiled for `make soak` alone, which takes
 * minutes. Their series differ: version 3 stores `le="1"` as `le="1.0"`.
 */
export const PROMETHEUS = {
  'Prometheus 2': (name: 'prometheus' | 'promtool') => requireProgram(name),
  'Prometheus 3': (name: 'prometheus' | 'promtool') => join(compiled, name),
} as const;
export type PrometheusVersion = keyof typeof PROMETHEUS;
/** The versions that tests run with. */
export const PROMETHEUS_VERSIONS = (Object.keys(PROMETHEUS) as PrometheusVersion[]).slice(
  0,
  process.env['WARREN_SOAK'] === '1' ? undefined : 1,
);

/** A series of a response. */
export interface Sample {
  metric: Record<string, string>;
  value: [number, string];
}

interface Target {
  health: string;
  lastError: string;
}

/** Labels of every series, as the chart sets them. */
export const SCRAPE_LABELS = { namespace: 'test', release: 'warren' };

/** A private Prometheus that scrapes every second, and receives remote write. */
export class Prometheus {
  readonly url: string;
  private readonly end: () => Promise<void>;

  private constructor(url: string, stop: () => Promise<void>) {
    this.url = url;
    this.end = stop;
  }

  /**
   * @param targets addresses of processes with `/metrics`, by name
   * @param rules files of rules
   */
  static async start(
    version: PrometheusVersion,
    targets: Record<string, string>,
    rules: string[],
  ): Promise<Prometheus> {
    const folder = await mkdtemp(join(tmpdir(), 'warren-prometheus-'));
    const config = join(folder, 'prometheus.yml');
    const jobs = Object.entries(targets).map(([job_name, url]) => ({
      job_name,
      static_configs: [{ targets: [new URL(url).host], labels: SCRAPE_LABELS }],
    }));
    const global = { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s' };
    // As docs/operations/metrics.md says.
    const storage = { tsdb: { out_of_order_time_window: '1h' } };
    // JSON is valid YAML.
    await writeFile(config, JSON.stringify({ global, storage, rule_files: rules, scrape_configs: jobs }));
    const port = await freePort();
    const child = spawn(
      PROMETHEUS[version]('prometheus'),
      [
        `--config.file=${config}`,
        `--storage.tsdb.path=${join(folder, 'data')}`,
        `--web.listen-address=127.0.0.1:${port}`,
        '--web.enable-remote-write-receiver',
        '--log.level=warn',
      ],
      { stdio: 'ignore' },
    );
    await once(child, 'spawn');
    const ended = once(child, 'exit');
    const prometheus = new Prometheus(`http://127.0.0.1:${port}`, async () => {
      child.kill('SIGKILL');
      await ended;
      await rm(folder, { recursive: true, force: true });
    });
    await until(() => prometheus.up(Object.keys(targets).length), 30_000).catch(async (error: unknown) => {
      await prometheus.stop();
      throw error;
    });
    return prometheus;
  }

  /** Runs a query. @throws Error with Prometheus's message */
  async query(expr: string): Promise<Sample[]> {
    const { result } = await this.get<{ result: Sample[] }>('query', { query: expr });
    return result;
  }

  /** Lists the names of labels in any series of a metric. */
  labels(metric: string): Promise<string[]> {
    return this.get('labels', { 'match[]': `{__name__="${metric}"}` });
  }

  /** Tells whether a process describes a metric, which may have no series yet. */
  async describes(metric: string): Promise<boolean> {
    return metric in (await this.get<Record<string, unknown>>('metadata', { metric }));
  }

  /** Lists rules whose evaluation failed, with the error. */
  async brokenRules(): Promise<{ name: string; lastError?: string }[]> {
    const { groups } = await this.get<{ groups: { rules: { name: string; health: string; lastError?: string }[] }[] }>(
      'rules',
      {},
    );
    return groups.flatMap(({ rules }) => rules).filter(({ health }) => health !== 'ok');
  }

  stop(): Promise<void> {
    return this.end();
  }

  private async up(count: number): Promise<boolean> {
    const { activeTargets } = await this.get<{ activeTargets: Target[] }>('targets', {});
    const down = activeTargets.filter(({ health }) => health !== 'up');
    if (down.length > 0) throw new Error(down.map(({ lastError }) => lastError).join('; '));
    return activeTargets.length === count;
  }

  private async get<T>(what: string, parameters: Record<string, string>): Promise<T> {
    const response = await fetch(`${this.url}/api/v1/${what}?${new URLSearchParams(parameters)}`);
    const answer = (await response.json()) as { status: string; error?: string; data: T };
    if (answer.status !== 'success') throw new Error(`${parameters['query'] ?? what}: ${answer.error}`);
    return answer.data;
  }
}
