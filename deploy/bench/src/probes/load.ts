import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { installed } from '../peers/packages.ts';

const VERSION = '9.0.0';
const CONNECTIONS = 32;
const MAX_OUTPUT = 4 << 20;
const SAMPLE_LENGTH = 300;

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
    const got = `${answers.join(', ')}, and ${errors} errors`;
    throw new Error(
      `${url}${path}: expected answers of 2xx alone, got ${got}; one says: ${await sample(url, path, headers)}`,
    );
  }
  return { rate: requests.average, p99Ms: latency.p99, megabytes: throughput.average / 1e6 };
}

/** The status and the start of the body of one more answer, which names the reason. */
async function sample(url: string, path: string, headers: Record<string, string>): Promise<string> {
  const asked = request(`${url}${path}`, { headers }).end();
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  return `${answer.statusCode} ${(await text(answer)).slice(0, SAMPLE_LENGTH)}`;
}

interface Result {
  requests: { average: number };
  latency: { p99: number };
  throughput: { average: number };
  non2xx: number;
  errors: number;
  statusCodeStats: Record<string, { count: number }>;
}
