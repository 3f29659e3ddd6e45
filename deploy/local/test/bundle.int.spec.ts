import { describe, expect, it } from '@jest/globals';
import { readdir, readFile } from 'node:fs/promises';
import { isBuiltin, SourceMap } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { root, services } from '../src/settings.ts';

/** Those that stay; what the others try, and do without. */
const beside = new Set([
  ...['pg', 'bufferutil', 'sharp', 'swagger-ui-dist/absolute-path.js'],
  ...['@nestjs/microservices', '@nestjs/microservices/microservices-module.js', '@nestjs/websockets/socket-module.js'],
  ...['@fastify/static', '@valkey/valkey-glide', 'class-transformer', 'class-validator', 'utf-8-validate'],
]);

/** What packages look for their native parts with. */
const loaders = /node_modules\/(?:node-gyp-build|bindings|node-pre-gyp)\//g;

const at = (service: string, file: string) => join(root, 'services', service, 'dist', file);

async function allOf(service: string): Promise<string> {
  const files = (await readdir(at(service, ''))).filter((name) => /^bundle\..*mjs$/.test(name));
  return (await Promise.all(files.map((name) => readFile(at(service, name), 'utf8')))).join('\n');
}

describe('The bundle of a service', () => {
  it.each(services)('%s: traces lead to what was written', async (service) => {
    const file = at(service, 'bundle.mjs');
    const lines = (await readFile(file, 'utf8')).split('\n');
    const map = new SourceMap(JSON.parse(await readFile(`${file}.map`, 'utf8')));
    const begins = lines.findIndex((line) => /^function appModule\(/.test(line));
    const entry = map.findEntry(begins, 0) as { originalSource: string; originalLine: number };
    const source = resolve(dirname(file), entry.originalSource);
    expect(source).toBe(join(root, 'services', service, 'src/app.module.ts'));
    const written = (await readFile(source, 'utf8')).split('\n')[entry.originalLine];
    expect(written).toMatch(/^export function appModule\(/);
    expect(lines).toContain('//# sourceMappingURL=bundle.mjs.map');
  });

  it.each(services)(
    '%s: asks for no package but those that stay where they are, and those that are not installed',
    async (service) => {
      const code = await allOf(service);
      const asked = code.matchAll(
        /^(?:(?!\s*(?:\/\/|\*)).*(?:__require|\bimport)\(|import (?:.* from )?)["']([^"'.][^"']*)["']/gm,
      );
      const names = [...asked].map(([, name = '']) => name).filter((name) => !isBuiltin(name) && !beside.has(name));
      expect(names).toEqual([]);
    },
  );

  // One character beyond that, and V8 keeps twice as many bytes of source.
  it.each(services)('%s: is ASCII', async (service) => {
    expect(/[^\0-\x7f]/.exec(await allOf(service))).toBeNull();
  });

  // From inside a bundle they find nothing, and the package falls back to what is many times slower.
  it.each(services)('%s: holds no package that has a native part', async (service) => {
    expect((await allOf(service)).match(loaders)).toBeNull();
  });
});
