import { describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PROMETHEUS, PROMETHEUS_VERSIONS } from '@warren/infra/prometheus';
import { FILES, root } from './artefacts.ts';

const tests = join(import.meta.dirname, '../test');

describe.each(PROMETHEUS_VERSIONS)('the rules, by promtool of %s', (version) => {
  const promtool = async (...args: string[]) =>
    (await promisify(execFile)(PROMETHEUS[version]('promtool'), args)).stdout;

  it('can be loaded, without a lint', async () => {
    const files = globSync(join(FILES, 'rules/*.yaml'));
    expect(files.length).toBeGreaterThan(1);
    expect(await promtool('check', 'rules', '--lint-fatal', ...files)).toContain('SUCCESS');
  });

  it('can be used with what Compose brings to scrape', async () => {
    const config = join(root, 'deploy/compose/prometheus.yaml');
    expect(await promtool('check', 'config', '--lint-fatal', config)).toContain('SUCCESS');
  });

  it.each(globSync('*.test.yaml', { cwd: tests }))('fire and keep quiet as %s says', async (file) => {
    expect(await promtool('test', 'rules', join(tests, file))).toContain('SUCCESS');
  });
});
