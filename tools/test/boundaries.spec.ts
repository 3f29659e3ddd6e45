import { describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = new URL('../..', import.meta.url).pathname;
const bin = (name: string) => `${root}node_modules/.bin/${name}`;

/** What a tool printed; tools that find something exit with an error, which is what is wanted here. */
async function outcome(command: string, args: string[], input?: string): Promise<{ stdout: string }> {
  const child = run(bin(command), args, { cwd: root, maxBuffer: 1 << 26, env: { ...process.env, NODE_OPTIONS: '' } });
  if (input !== undefined) child.child.stdin?.end(input);
  try {
    return await child;
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

describe('imports between projects', () => {
  it.each([
    ['a service from another service', 'services/identity/src/bad.ts', '../../tenancy/src/main.ts'],
    ['the platform from a service', 'services/platform/src/bad.ts', '../../devices/src/main.ts'],
    ['the console from the platform', 'web/src/lib/bad.ts', '@warren/platform/errors/fault'],
    ['the agent from the platform', 'agent/src/bad.ts', '@warren/platform/errors/fault'],
    ['transport from the platform', 'transport/src/bad.ts', '@warren/platform/errors/fault'],
  ])('refuse %s', async (_name, path, imported) => {
    await outcome('nx', ['show', 'projects']);
    const source = `import { x } from '${imported}';\nexport const y = x;\n`;
    const { stdout } = await outcome('eslint', ['--stdin', '--stdin-filename', path, '--format', 'json'], source);
    const rules = (JSON.parse(stdout) as { messages: { ruleId: string }[] }[]).flatMap(({ messages }) =>
      messages.map(({ ruleId }) => ruleId),
    );
    expect(rules).toContain('@nx/enforce-module-boundaries');
  });
});
