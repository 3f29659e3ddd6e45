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

/** The rules of oxlint that a file breaks. It is in its folder for a moment only. */
async function broken(folder: string, source: string): Promise<(string | undefined)[]> {
  const path = `${folder}/refused.${process.pid}.ts`;
  await writeFile(join(root, path), source);
  try {
    const { stdout } = await outcome('oxlint', ['--format', 'json', path]);
    return (JSON.parse(stdout) as { diagnostics: { code?: string }[] }).diagnostics.map(({ code }) => code);
  } finally {
    await rm(join(root, path));
  }
}

describe('imports between projects', () => {
  beforeAll(async () => void (await outcome('nx', ['show', 'projects'])));

  it.each([
    ['a service from another service', 'services/identity/src', '../../tenancy/src/main.ts'],
    ['the platform from a service', 'services/platform/src', '../../devices/src/main.ts'],
    ['the console from the platform', 'web/src/lib', '@warren/platform/errors/fault'],
    ['the agent from the platform', 'agent/src', '@warren/platform/errors/fault'],
    ['transport from the platform', 'transport/src', '@warren/platform/errors/fault'],
  ])('refuse %s', async (_name, folder, imported) => {
    const source = `import { x } from '${imported}';\nexport const y = x;\n`;
    expect(await broken(folder, source)).toEqual(['@nx(enforce-module-boundaries)']);
  });
});

describe('the style', () => {
  it.each([
    ['SQL outside of its files', 'services/devices/src', `export const f = (sql: any) => sql.query('SELECT 1');`],
    ['a prefix in a fault', 'rules/src', `export const f = new Fault('internal', 'session: it is over');`],
    ['a packed literal', 'web/src', `export const f = { ...{ a: 1 } };`],
    ['a private name', 'agent/src', `export class F { #a = 1; b = () => this.#a; }`],
    ['any variable of the environment', 'services/devices/src', `export const f = process.env['A'];`],
  ])('refuses %s', async (_name, folder, source) => {
    const rules = await broken(folder, source);
    expect(
      rules.filter((rule) => rule === 'warren(no-restricted-syntax)' || rule?.includes('properties')),
    ).toHaveLength(1);
  });

  it('refuses nothing else', async () => {
    expect(await broken('services/devices/src', 'export const f = 1;\n')).toEqual([]);
  });
});
