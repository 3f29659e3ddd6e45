import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import express from 'express';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { consoleFiles } from './console.files.ts';

describe("the console's files in production", () => {
  let folder: string;
  let server: Server;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'warren-console-'));
    await mkdir(join(folder, 'assets'));
    for (const name of ['index-BxY3_a9Z.js', 'index-BxY3_a9Z.js.map', 'index-BxY3_a9Z.js.map.br'])
      await writeFile(join(folder, 'assets', name), '{}');
    const app = express().use(consoleFiles(folder, { maps: false }));
    await new Promise<void>((resolve) => (server = app.listen(0, '127.0.0.1', () => resolve())));
  });
  afterAll(async () => {
    server?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const status = async (path: string) => {
    const { port } = server.address() as AddressInfo;
    return (await fetch(`http://127.0.0.1:${port}/assets/${path}`)).status;
  };

  it.each(['.map', '.m%61p', '.MAP', '.map.br', '.map?x'])('have no source map (%s)', async (ending) => {
    expect(await status(`index-BxY3_a9Z.js${ending}`)).toBe(404);
  });

  it('are served otherwise', async () => {
    expect(await status('index-BxY3_a9Z.js')).toBe(200);
  });
});
