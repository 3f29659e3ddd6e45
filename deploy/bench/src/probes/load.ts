import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installed } from '../peers/packages.ts';

const VERSION = '9.0.0';
const CONNECTIONS = 32;
const MAX_OUTPUT = 4 << 20;

/** Where requests go, and what they carry besides. */
export interface Place {
  url: string;
  headers: Record<string, string>;
}

export interface Load {
  /** Requests answered in a second. */
  rate: number;
  p99Ms: number;
  /** Megabytes received in a second. */
  megabytes: number;
}

/**
 * Requests one path with autocannon, in a separate process, over 32 keep-alive connections for some seconds.
 * @throws Error when an answer was not 2xx, or a connection broke
 */
export async function load({ url, headers }: Place, path: string, seconds: number): Promise<Load> {
  const folder = await installed('autocannon', { dependencies: { autocannon: VERSION } });
  const program = join(folder, 'node_modules/autocannon/autocannon.js');
  const lines = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const options = ['-j', '-n', '-c', String(CONNECTIONS), '-d', String(seconds), ...lines];
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...options, `${url}${path}`], {
    maxBuffer: MAX_OUTPUT,
  });
  const { requests, latency, throughput, non2xx, errors, statusCodeStats } = JSON.parse(stdout) as Result;
  if (non2xx > 0 || errors > 0) {
    const answers = Object.entries(statusCodeStats).map(([status, { count }]) => `${count} of ${status}`);
    throw new Error(`${url}${path}: expected answers of 2xx alone, got ${answers.join(', ')}, and ${errors} errors`);
  }
  return { rate: requests.average, p99Ms: latency.p99, megabytes: throughput.average / 1e6 };
}

interface Result {
  requests: { average: number };
  latency: { p99: number };
  throughput: { average: number };
  non2xx: number;
  errors: number;
  statusCodeStats: Record<string, { count: number }>;
}
