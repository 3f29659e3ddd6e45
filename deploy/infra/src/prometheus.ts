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
 * Where the programs of each version of Prometheus are: version 2 is a package of the system's, version 3 is compiled by `make programs`.
 * Series differ between them: version 3 stores `le="1"` as `le="1.0"`.
 */
export const PROMETHEUS = {
  'Prometheus 2': (name: 'prometheus' | 'promtool') => requireProgram(name),
  'Prometheus 3': (name: 'prometheus' | 'promtool') => join(compiled, name),
} as const;
export type PrometheusVersion = keyof typeof PROMETHEUS;
export const PROMETHEUS_VERSIONS = Object.keys(PROMETHEUS) as PrometheusVersion[];

/** One series of an answer. */
export interface Sample {
  metric: Record<string, string>;
  value: [number, string];
}

interface Target {
  health: string;
  lastError: string;
}

/** What every series is labelled with, as the chart has Prometheus do it. */
export const SCRAPE_LABELS = { namespace: 'test', release: 'warren' };

/** A Prometheus of the test's own that scrapes a copy every second. */
export class Prometheus {
  private readonly url: string;
  private readonly end: () => Promise<void>;

  private constructor(url: string, stop: () => Promise<void>) {
    this.url = url;
    this.end = stop;
  }

  /**
   * @param targets where each process has its `/metrics`, by name
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
    // YAML takes JSON.
    await writeFile(config, JSON.stringify({ global, rule_files: rules, scrape_configs: jobs }));
    const port = await freePort();
    const child = spawn(
      PROMETHEUS[version]('prometheus'),
      [
        `--config.file=${config}`,
        `--storage.tsdb.path=${join(folder, 'data')}`,
        `--web.listen-address=127.0.0.1:${port}`,
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

  /** @throws Error with what Prometheus says of a query that it can't run */
  async query(expr: string): Promise<Sample[]> {
    const { result } = await this.get<{ result: Sample[] }>('query', { query: expr });
    return result;
  }

  /** The names of the labels that a metric has in any of its series. */
  labels(metric: string): Promise<string[]> {
    return this.get('labels', { 'match[]': `{__name__="${metric}"}` });
  }

  /** Whether a process describes a metric, though it may have no series yet. */
  async describes(metric: string): Promise<boolean> {
    return metric in (await this.get<Record<string, unknown>>('metadata', { metric }));
  }

  /** Rules that could not be evaluated, with what is wrong. */
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
