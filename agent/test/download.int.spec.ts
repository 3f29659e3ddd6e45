import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fetchPackage, sizeOf, type Pace } from '../src/update/download.ts';
import { UpdateRefused } from '../src/update/release.ts';
import { until } from '@warren/infra/until';

const BODY = Buffer.from(Array.from({ length: 10_000 }, (_, index) => index % 251));
const SHA256 = createHash('sha256').update(BODY).digest('hex');
const wanted = { os: 'linux', arch: 'x64', file: 'agent.tar.gz', sha256: SHA256, size: BODY.length };
/** Where a download that breaks off has come to. */
const HALF = 4_000;

type Answering = (request: IncomingMessage, response: ServerResponse) => void;

/** As the hub answers: what If-Range names is the ETag. */
const ranges: Answering = ({ headers }, response) => {
  const from = Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? 0);
  if (from === 0 || headers['if-range'] !== `"${SHA256}"`)
    return void response.writeHead(200, { 'content-length': BODY.length }).end(BODY);
  const part = BODY.subarray(from);
  const range = `bytes ${from}-${BODY.length - 1}/${BODY.length}`;
  response.writeHead(206, { 'content-length': part.length, 'content-range': range }).end(part);
};
const half: Answering = (_request, response) =>
  void response.writeHead(200, { 'content-length': BODY.length }).write(BODY.subarray(0, HALF));

describe('the download of a package', () => {
  let server: Server;
  let folder: string;
  let answer: Answering;
  /** The ranges that were asked for. */
  let asked: (string | undefined)[];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'warren-download-'));
    asked = [];
    server = createServer((request, response) => {
      asked.push(request.headers.range);
      answer(request, response);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });

  afterEach(async () => {
    server.closeAllConnections();
    server.close();
    await rm(folder, { recursive: true });
  });

  const part = () => join(folder, 'part');
  const fetched = () => readFile(join(folder, 'file'));
  const download = ({ pace, signal = new AbortController().signal }: { pace?: Pace; signal?: AbortSignal } = {}) => {
    const hub = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return fetchPackage(hub, '/agent.tar.gz', wanted, { part: part(), file: join(folder, 'file'), signal, pace });
  };

  it('resumes where it broke off', async () => {
    answer = (request, response) => {
      half(request, response);
      void until(async () => (await sizeOf(part())) === HALF).then(() => response.destroy());
    };
    await expect(download()).rejects.toThrow(/^connection: /);
    expect(await sizeOf(part())).toBe(HALF);
    answer = ranges;
    await download();
    expect(asked).toEqual([undefined, `bytes=${HALF}-`]);
    expect(await fetched()).toEqual(BODY);
    expect(await sizeOf(part())).toBe(0);
  });

  it('begins at the first byte when the hub sends all of it', async () => {
    await writeFile(part(), BODY.subarray(1, HALF));
    answer = (request, response) => ranges({ ...request, headers: {} } as IncomingMessage, response);
    await download();
    expect(await fetched()).toEqual(BODY);
  });

  it.each([
    ['a damaged part', Buffer.alloc(HALF)],
    ['a damaged whole', Buffer.alloc(BODY.length)],
    ['a part longer than the package', Buffer.alloc(BODY.length + 1)],
  ])('throws %s away', async (_what, left) => {
    await writeFile(part(), left);
    answer = ranges;
    await download();
    expect(asked.at(-1)).toBeUndefined();
    expect(await fetched()).toEqual(BODY);
  });

  it('throws a part away that the hub does not know', async () => {
    await writeFile(part(), BODY.subarray(0, HALF));
    answer = (_request, response) => void response.writeHead(416).end();
    await expect(download()).rejects.toThrow('the hub answered 416');
    answer = ranges;
    await download();
    expect(asked.at(-1)).toBeUndefined();
  });

  it('refuses a package that came whole and is another one', async () => {
    answer = (_request, response) => void response.end(Buffer.alloc(BODY.length));
    await expect(download()).rejects.toThrow(UpdateRefused);
    expect(asked).toHaveLength(1);
    expect(await sizeOf(part())).toBe(0);
  });

  it('says how much came of an answer without a length that is too short', async () => {
    answer = (_request, response) => void response.end(BODY.subarray(0, HALF));
    await expect(download()).rejects.toThrow(`connection: it ended after ${HALF} of ${BODY.length} bytes`);
    expect(await sizeOf(part())).toBe(HALF);
  });

  it('ends when no byte comes any more, and keeps what came', async () => {
    answer = half;
    await expect(download({ pace: { bytes: 1, ms: 100 } })).rejects.toThrow('connection: fewer than 1 bytes came');
    expect(await sizeOf(part())).toBe(HALF);
  });

  it('ends when it crawls', async () => {
    answer = (request, response) => {
      half(request, response);
      const drip = setInterval(() => response.write('x'), 10);
      response.on('close', () => clearInterval(drip));
    };
    await expect(download({ pace: { bytes: 2_000, ms: 200 } })).rejects.toThrow('connection: fewer than 2000 bytes');
  });

  it('ends when it is aborted', async () => {
    const stop = new AbortController();
    answer = (request, response) => {
      half(request, response);
      stop.abort();
    };
    await expect(download({ signal: stop.signal })).rejects.toThrow();
  });
});
