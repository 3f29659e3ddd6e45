import { beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = new URL('../..', import.meta.url).pathname;
const bin = (name: string) => `${root}node_modules/.bin/${name}`;

/** What a tool printed; tools that find something exit with an error, which is what is wanted here. */
async function outcome(command: string, args: string[]): Promise<{ stdout: string }> {
  try {
    return await run(bin(command), args, { cwd: root, maxBuffer: 1 << 26, env: { ...process.env, NODE_OPTIONS: '' } });
  } catch (error) {
    return error as { stdout: string };
  }
}

describe('imports inside a project', () => {
  it('are refused by every rule where the fixtures break it', async () => {
    const { default: config } = (await import('../../.dependency-cruiser.mjs')) as {
      default: { forbidden: { name: string }[] };
    };
    const { stdout } = await outcome('depcruise', [
      '--config',
      '.dependency-cruiser.mjs',
      '--output-type',
      'json',
      'tools/fixtures',
    ]);
    const report = JSON.parse(stdout) as { summary: { violations: { rule: { name: string } }[] } };
    const bitten = new Set(report.summary.violations.map(({ rule }) => rule.name));
    expect([...bitten].sort()).toEqual(config.forbidden.map(({ name }) => name).sort());
  });
});

/** A planted line of code, in a folder, and what oxlint has to say of it. */
interface Planted {
  name: string;
  folder: string;
  source: string;
  rules: string[];
}

const between = (name: string, folder: string, imported: string): Planted => ({
  name,
  folder,
  source: `import { x } from '${imported}';\nexport const y = x;\n`,
  rules: ['@nx(enforce-module-boundaries)'],
});
const style = (name: string, folder: string, source: string): Planted => ({
  name,
  folder,
  source: `${source}\n`,
  rules: ['warren(no-restricted-syntax)'],
});

const planted: Planted[] = [
  between('a service that imports another service', 'services/identity/src', '../../tenancy/src/main.ts'),
  between('the platform that imports a service', 'services/platform/src', '../../devices/src/main.ts'),
  between('the console that imports the platform', 'web/src/lib', '@warren/platform/errors/fault'),
  between('the agent that imports the platform', 'agent/src', '@warren/platform/errors/fault'),
  between('transport that imports the platform', 'transport/src', '@warren/platform/errors/fault'),
  style(
    'SQL outside of its files',
    'services/devices/src',
    `export const f = (sql: { query: (text: string) => void }) => sql.query('SELECT 1');`,
  ),
  style('a prefix in a fault', 'rules/src', `export const f = new Fault('internal', 'session: it is over');`),
  style('a packed literal', 'web/src', `export const f = { ...{ a: 1 } };`),
  style('a private name', 'agent/src', `export class F { #a = 1; b = () => this.#a; }`),
  {
    name: 'any variable of the environment',
    folder: 'services/devices/src',
    source: `export const f = process.env['A'];\n`,
    rules: ['eslint(no-restricted-properties)'],
  },
  { name: 'nothing else', folder: 'services/devices/src', source: 'export const f = 1;\n', rules: [] },
];

describe('oxlint', () => {
  const pathOf = (at: number) => `${planted[at]?.folder}/refused.${process.pid}.${at}.ts`;
  const found = new Map<string, string[]>();

  // In one run, as it takes seconds to read which projects there are. The files are there for that moment only.
  beforeAll(async () => {
    await outcome('nx', ['show', 'projects']);
    const paths = planted.map((_, at) => pathOf(at));
    try {
      for (const [at, { source }] of planted.entries()) await writeFile(join(root, pathOf(at)), source);
      const { stdout } = await outcome('oxlint', ['--format', 'json', ...paths]);
      const { diagnostics } = JSON.parse(stdout) as { diagnostics: { code?: string; filename: string }[] };
      for (const { code = '', filename } of diagnostics) found.set(filename, [...(found.get(filename) ?? []), code]);
    } finally {
      for (const path of paths) await rm(join(root, path), { force: true });
    }
  });

  it.each(planted.map(({ name }, at) => [name, at] as const))('refuses %s', (_name, at) => {
    expect(found.get(pathOf(at)) ?? []).toEqual(planted[at]?.rules);
  });
});
