import { describe, expect, it } from '@jest/globals';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { root } from '@warren/local/settings';
import { sectionsOf } from './changelog.ts';
import { agreedVersion, checkVersion, releaseNotes } from './check.ts';
import { setVersion, statedVersions } from './places.ts';

describe('the version', () => {
  it('is the same in every place of this checkout', async () => {
    const stated = await statedVersions(root);
    expect(agreedVersion(stated)).toMatch(/^\d+\.\d+\.\d+/);
    expect(new Set(stated.map(({ file }) => file)).size).toBeGreaterThan(15);
  });

  it('names the files that state another one', () => {
    const stated = [
      { file: 'package.json', version: '1.0.0' },
      { file: 'web/package.json', version: '1.1.0' },
    ];
    expect(() => agreedVersion(stated)).toThrow(
      'web/package.json has 1.1.0: expected 1.0.0. Set all: make version VERSION=1.0.0',
    );
    expect(() => agreedVersion(stated, '1.1.0')).toThrow('package.json has 1.0.0: expected 1.1.0');
    expect(() => agreedVersion(stated.slice(0, 1), '1.1.0')).toThrow(
      "The project's version is 1.0.0, VERSION is 1.1.0: make version VERSION=1.1.0",
    );
  });

  it.each(['', '1.2', 'v1.2.3', '1.2.3+build', '01.2.3'])('refuses "%s"', (version) => {
    expect(() => checkVersion(version)).toThrow(`VERSION is "${version}": expected a SemVer version`);
  });

  it('is set everywhere at once, and nothing else changes', async () => {
    const copy = await mkdtemp(join(tmpdir(), 'warren-version-'));
    try {
      const files = new Set((await statedVersions(root)).map(({ file }) => file));
      for (const file of files) await cp(join(root, file), join(copy, file), { recursive: true, force: true });
      await setVersion(copy, '7.8.9-rc.1');
      expect(agreedVersion(await statedVersions(copy))).toBe('7.8.9-rc.1');
      await setVersion(copy, agreedVersion(await statedVersions(root)));
      for (const file of files) {
        expect([dirname(file), await readFile(join(copy, file), 'utf8')]).toEqual([
          dirname(file),
          await readFile(join(root, file), 'utf8'),
        ]);
      }
    } finally {
      await rm(copy, { recursive: true });
    }
  });
});

describe('the changelog', () => {
  it('of this checkout can be read, and tells of 0.1.0', async () => {
    expect(await releaseNotes(root, '0.1.0')).not.toBe('');
    await expect(releaseNotes(root, '99.0.0')).rejects.toThrow(
      'CHANGELOG.md has no text for 99.0.0: expected a section "## [99.0.0] - YYYY-MM-DD"',
    );
  });

  it('is read in sections', () => {
    expect(
      sectionsOf('# Changelog\n\n## [Unreleased]\n\n- b\n\n## [1.0.0] - 2026-01-31\n\n### Added\n\n- a\n'),
    ).toEqual([
      { version: 'Unreleased', date: undefined, text: '- b' },
      { version: '1.0.0', date: '2026-01-31', text: '### Added\n\n- a' },
    ]);
  });

  it.each(['## 1.0.0', '## [1.0.0]', '## [1.0] - 2026-01-31'])('refuses the heading "%s"', (heading) => {
    expect(() => sectionsOf(`${heading}\n`)).toThrow(`CHANGELOG.md: "${heading}": expected`);
  });
});
