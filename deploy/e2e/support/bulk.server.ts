import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { Readable, type Readable as Source } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { LocalServer } from './local.server.ts';

const PIECE = 64 * 1024;
/** Every byte tells its place, so that one that is missing or comes twice moves all that follow. */
const PATTERN = Buffer.from(Array.from({ length: 2 * PIECE }, (_, index) => (index % PIECE) * 31 + (index >> 8)));

function* numbered(bytes: number): Generator<Buffer> {
  for (let left = bytes; left > 0; left -= PIECE) yield PATTERN.subarray(0, Math.min(left, PIECE));
}

/** So many bytes, each as its place wants it. */
const bulk = (bytes: number): Source => Readable.from(numbered(bytes), { objectMode: false });

/**
 * Reads to the end, and stops for a while half-way, as a reader that is slower than what it reads.
 * @returns how many bytes came
 * @throws at the first byte that is not what its place wants
 */
async function count(source: IncomingMessage, half: number, pauseMs: number): Promise<number> {
  let at = 0;
  let paused = false;
  for await (const piece of source as AsyncIterable<Buffer>) {
    for (let from = 0; from < piece.length;) {
      const place = at % PIECE;
      const length = Math.min(piece.length - from, PIECE - place);
      if (piece.compare(PATTERN, place, place + length, from, from + length) !== 0) {
        throw new Error(`what came differs between byte ${at} and ${at + length}`);
      }
      from += length;
      at += length;
    }
    if (paused || at < half) continue;
    paused = true;
    await sleep(pauseMs);
  }
  return at;
}

/**
 * A web server of a device that gives and takes as much as is asked for.
 * @param pauseMs how long each reader stops half-way
 */
export const startBulkServer = (pauseMs: number): Promise<LocalServer> =>
  LocalServer.start((incoming, response) => {
    const bytes = Number(new URL(incoming.url ?? '/', 'http://bulk').searchParams.get('bytes'));
    response.setHeader('content-type', 'text/html');
    if (incoming.method === 'GET') return void pipeline(bulk(bytes), response).catch(() => {});
    count(incoming, bytes / 2, pauseMs).then(
      (came) => response.end(String(came)),
      (error: Error) => response.writeHead(500).end(error.message),
    );
  });

/** A client with the address of a web service, and its cookie. */
export interface Visitor {
  host: string;
  cookie: string;
}

async function answer(visitor: Visitor, method: string, bytes: number, body?: Source): Promise<IncomingMessage> {
  const { host, cookie } = visitor;
  const headers = { host, cookie, origin: `http://${host}`, ...(body && { 'content-length': bytes }) };
  const [, port] = host.split(':');
  const asked = request({ host: '127.0.0.1', port, path: `/?bytes=${bytes}`, method, headers, agent: false });
  const answered = once(asked, 'response') as Promise<[IncomingMessage]>;
  if (body) await pipeline(body, asked);
  else asked.end();
  return (await answered)[0];
}

/** Downloads so many bytes. @throws unless all came, each in its place */
export async function download(visitor: Visitor, bytes: number, pauseMs: number): Promise<void> {
  const came = await count(await answer(visitor, 'GET', bytes), bytes / 2, pauseMs);
  if (came !== bytes) throw new Error(`${came} of ${bytes} bytes came`);
}

/** Uploads so many bytes. @throws unless the server says that all came, each in its place */
export async function upload(visitor: Visitor, bytes: number): Promise<void> {
  const response = await answer(visitor, 'POST', bytes, bulk(bytes));
  const answered = await text(response);
  if (answered !== String(bytes)) throw new Error(`${response.statusCode} ${answered}; ${bytes} bytes went up`);
}
