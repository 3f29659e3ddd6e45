import { describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { requireProgram } from '@warren/infra/programs';
import { FILES } from './artefacts.ts';

const tests = join(import.meta.dirname, '../test');

const promtool = async (...args: string[]) => (await promisify(execFile)(requireProgram('promtool'), args)).stdout;

describe('the rules, by promtool', () => {
  it('can be loaded by Prometheus, without a lint', async () => {
    const files = globSync(join(FILES, 'rules/*.yaml'));
    expect(files.length).toBeGreaterThan(1);
    expect(await promtool('check', 'rules', '--lint-fatal', ...files)).toContain('SUCCESS');
  });

  it.each(globSync('*.test.yaml', { cwd: tests }))('fire and keep quiet as %s says', async (file) => {
    expect(await promtool('test', 'rules', join(tests, file))).toContain('SUCCESS');
  });
});
