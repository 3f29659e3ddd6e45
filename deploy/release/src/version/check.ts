import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { valid } from 'semver';
import { sectionsOf } from './changelog.ts';
import type { Stated } from './places.ts';

/** @throws Error unless it is a version by https://semver.org without build metadata, which no image's tag can hold */
export function checkVersion(version: string): void {
  if (valid(version) === version) return;
  throw new Error(`VERSION is "${version}": expected a SemVer version such as 1.2.3 or 1.2.3-rc.1`);
}

/** The one version that all places state. @throws Error that names those that differ */
export function agreedVersion(stated: readonly Stated[], expected = stated[0]?.version ?? ''): string {
  const others = stated.filter(({ version }) => version !== expected);
  if (others.length === 0) return expected;
  const [first = ''] = new Set(others.map(({ version }) => version));
  if (others.length === stated.length && others.every(({ version }) => version === first)) {
    throw new Error(`The project's version is ${first}, VERSION is ${expected}: make version VERSION=${expected}`);
  }
  const named = [...new Set(others.map(({ file, version }) => `${file} has ${version}`))];
  throw new Error(`${named.join(', ')}: expected ${expected}. Set all: make version VERSION=${expected}`);
}

/** Reads a version's text in CHANGELOG.md. @throws Error when there is none */
export async function releaseNotes(root: string, version: string): Promise<string> {
  const sections = sectionsOf(await readFile(join(root, 'CHANGELOG.md'), 'utf8'));
  const text = sections.find((section) => section.version === version)?.text;
  if (text) return text;
  throw new Error(`CHANGELOG.md has no text for ${version}: expected a section "## [${version}] - YYYY-MM-DD"`);
}
