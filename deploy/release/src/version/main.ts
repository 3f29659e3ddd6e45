/** `make version VERSION=1.2.3` writes the version into every place; `--check`: whether all state the same one. */
import { parseArgs } from 'node:util';
import { failure } from '@warren/local/failure';
import { root } from '@warren/local/settings';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sectionsOf } from './changelog.ts';
import { agreedVersion, checkVersion } from './check.ts';
import { setVersion, statedVersions } from './places.ts';

try {
  const { values, positionals } = parseArgs({
    options: { check: { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  const [version = ''] = positionals;
  if (values.check) {
    checkVersion(agreedVersion(await statedVersions(root)));
    sectionsOf(await readFile(join(root, 'CHANGELOG.md'), 'utf8'));
  } else {
    checkVersion(version);
    await setVersion(root, version);
    process.stdout.write(`The version is ${version} now. Next: its section in CHANGELOG.md, and make chart-docs.\n`);
  }
} catch (error) {
  process.stderr.write(`${failure(error)}\n`);
  process.exitCode = 1;
}
