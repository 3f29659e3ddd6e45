import { describe, expect, it } from '@jest/globals';
import { until } from '@warren/infra/until';
import type { AnswerListener, AnswerParser } from './answer.ts';
import { ClientParser } from './client.parser.ts';
import { NativeParser } from './fastpath/native.parser.ts';

/** The parser's events for a response that arrives in pieces of a size, and then ends. */
async function read(Parser: new (listener: AnswerListener) => AnswerParser, answer: string, pieces: number) {
  const heard: string[] = [];
  let over = false;
  const parser = new Parser({
    begin: () => {},
    information: ({ status, lines }) => heard.push(`${status} ${lines.join(' ')}`),
    head: ({ status, reason, lines }) => heard.push(`${status} ${reason} ${lines.join(' ')}`, ''),
    body: (piece) => heard.push(`${heard.pop()}${piece.toString('latin1')}`),
    end: () => heard.push('end'),
    broken: () => void heard.push('broken'),
  });
  parser.bodiless = answer.startsWith('HEAD');
  const bytes = Buffer.from(answer.replace('HEAD', ''), 'latin1');
  parser.expect();
  for (let at = 0; at < bytes.length && !heard.includes('broken'); at += pieces) {
    parser.take(bytes.subarray(at, at + pieces));
    await new Promise(setImmediate);
  }
  if (!heard.includes('end') && !heard.includes('broken')) {
    parser.finish((error) => {
      if (error) heard.push('broken');
      over = true;
    });
    await until(() => over || heard.includes('end') || heard.includes('broken'));
  }
  parser.close();
  return heard;
}

const OK = 'HTTP/1.1 200 OK\r\n';

describe('both parsers of responses', () => {
  it.each([
    ['with a length', `${OK}Content-Length: 5\r\nX-A: b\xe9\r\n\r\nhello`, 'end'],
    ['in chunks', `${OK}Transfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n2\r\nlo\r\n0\r\nTrail: er\r\n\r\n`, 'end'],
    ['that ends with its connection', `${OK}\r\nhello`, 'end'],
    ['to a HEAD', `HEAD${OK}Content-Length: 5\r\n\r\n`, 'end'],
    ['without a body', 'HTTP/1.1 304 Not Modified\r\nETag: "x"\r\n\r\n', 'end'],
    ['after interim answers', `HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${OK}Content-Length: 0\r\n\r\n`, 'end'],
    ['of HTTP/1.0', 'HTTP/1.0 200 OK\r\n\r\nhello', 'end'],
    ['that is cut off', `${OK}Content-Length: 9\r\n\r\nhello`, 'broken'],
    ['whose chunks are cut off', `${OK}Transfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n`, 'broken'],
    ['that is no HTTP', 'SSH-2.0-x\r\n\r\n', 'broken'],
    ['with two lengths', `${OK}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`, 'broken'],
    ['with a length and chunks', `${OK}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`, 'broken'],
    ['with a chunk of no size', `${OK}Transfer-Encoding: chunked\r\n\r\nzz\r\n`, 'broken'],
    ['that switches', 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n', 'broken'],
    ['that switches, not saying so', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n', 'broken'],
  ])('read the same of one %s', async (_what, answer, last) => {
    for (const pieces of [1, 7, 10_000]) {
      const native = await read(NativeParser, answer, pieces);
      expect(native.at(-1)).toBe(last);
      expect(await read(ClientParser, answer, pieces)).toEqual(native);
    }
  });
});
