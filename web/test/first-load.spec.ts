import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Bytes on the wire, of text and of the font. */
const LIMIT = 200_000;
/** Of the 15 that Home may ask for, with fonts and the hub's answers; `deploy/e2e` counts them all. */
const FILES = 8;
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

const html = () => readFileSync(join(out, 'index.html'), 'utf8');

/** Every file that index.html makes the browser load before Home is shown, and index.html itself. */
function firstFiles(): string[] {
  const named = [...html().matchAll(/(?:src|href)="\/([^"]+\.(?:js|css|svg|woff2))"/g)].map((match) =>
    String(match[1]),
  );
  return ['index.html', ...new Set(named)];
}

/** The files of the screens that index.html names, by a pattern of their address. */
function routes(): [string, string[]][] {
  const content = /name="warren-routes" content="([^"]+)"/.exec(html())?.[1]?.replaceAll('&quot;', '"');
  return JSON.parse(content ?? '[]') as [string, string[]][];
}

const filesOf = (address: string): string[] => routes().find(([path]) => new RegExp(path).test(address))?.[1] ?? [];

/** As it is sent: by brotli where the build has made that. */
function sent(file: string): number {
  const path = join(out, file);
  return statSync(existsSync(`${path}.br`) ? `${path}.br` : path).size;
}

describe('the first load of the console', () => {
  it('is few files, and 200 KB or less as the build has compressed them', () => {
    const files = firstFiles();
    expect(files.length).toBeGreaterThan(3);
    expect(files.filter((file) => file.endsWith('.woff2'))).toHaveLength(1);
    expect(files.length).toBeLessThanOrEqual(FILES);
    expect(files.reduce((sum, file) => sum + sent(file), 0)).toBeLessThanOrEqual(LIMIT);
  });

  it('has Home in it, and neither the terminal nor its wiring', () => {
    const texts = firstFiles().filter((file) => !file.endsWith('.woff2'));
    const code = texts.map((file) => readFileSync(join(out, file), 'utf8'));
    expect(code.filter((text) => text.includes('Longest offline'))).toHaveLength(1);
    expect(code.filter((text) => text.includes('xterm-viewport'))).toEqual([]);
  });

  it('asks for the files of the screen in the address at once', () => {
    expect(filesOf('/device/ssh/x').some((file) => file.includes('TerminalPage'))).toBe(true);
    for (const file of routes().flatMap(([, files]) => files)) expect(existsSync(join(out, file))).toBe(true);
  });

  it('loads neither terminal nor charts nor sockets with a list', () => {
    const codeOf = (address: string) =>
      filesOf(address)
        .filter((file) => file.endsWith('.js'))
        .map((file) => readFileSync(join(out, file), 'utf8'))
        .join('\n');
    const marks = ['xterm-viewport', 'u-over', 'reconnection'];
    const found = (address: string) => marks.filter((mark) => codeOf(address).includes(mark));
    expect(found('/devices')).toEqual([]);
    expect(found('/users')).toEqual([]);
    expect(found('/device/ssh/x')).toEqual(['xterm-viewport', 'reconnection']);
  });

  it('shows something before the first script has run', () => {
    expect(html()).toMatch(/<div id="root">\s*<div class="first-paint">/);
  });
});
