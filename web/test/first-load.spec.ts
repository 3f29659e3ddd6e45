import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const LIMIT = 200_000;
const BUILD_MS = 120_000;
const WEB = join(import.meta.dirname, '..');
const VITE = join(createRequire(join(WEB, 'package.json')).resolve('vite/package.json'), '../bin/vite.js');

let out: string;

beforeAll(() => {
  out = mkdtempSync(join(tmpdir(), 'warren-console-'));
  execFileSync(process.execPath, [VITE, 'build', '--outDir', out, '--logLevel', 'error'], {
    cwd: WEB,
    env: { PATH: process.env['PATH'], NODE_ENV: 'production' },
  });
}, BUILD_MS);

afterAll(() => rmSync(out, { recursive: true, force: true }));

/** Every script that index.html makes the browser load before anything is shown. */
function entryScripts(): string[] {
  const html = readFileSync(join(out, 'index.html'), 'utf8');
  return [...new Set([...html.matchAll(/(?:src|href)="(\/[^"]+\.js)"/g)].map((match) => String(match[1])))];
}

describe('the first load of the console', () => {
  it('is 200 KB of compressed JavaScript or less', () => {
    const scripts = entryScripts();
    const sizes = scripts.map((script) => gzipSync(readFileSync(join(out, script))).length);
    expect(scripts.length).toBeGreaterThan(1);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(LIMIT);
  });

  it('has neither the terminal nor its wiring in it', () => {
    const code = entryScripts().map((script) => readFileSync(join(out, script), 'utf8'));
    expect(code.filter((text) => text.includes('xterm-viewport'))).toEqual([]);
  });
});
