import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { once } from 'node:events';
import http2 from 'node:http2';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { enrol } from '../src/enrol.ts';
import { HubClock } from '../src/link/clock.ts';
import { dialToken } from '../src/link/credential.ts';
import { dial, type Carrier } from '../src/link/dial.ts';
import { serveLink } from '../src/link/link.ts';
import { DialRefused } from '../src/link/refusal.ts';
import { agentHandler } from '../src/link/service.ts';
import { Relays } from '../src/relay/relays.ts';
import { DEFAULT_LIMITS } from '../src/terminals/limits.ts';
import { TerminalRegistry } from '../src/terminals/registry.ts';
import { Updates } from '../src/update/updates.ts';
import { readKey } from '../src/state/key.ts';
import { journalOf } from '../src/system/journal/journal.ts';
import { loginShells } from '../src/system/login.ts';
import { socketPair } from '../src/system/socket-pair.ts';
import { TestHub } from './hub.ts';
import { selfSigned } from './secure-world.ts';
import { TerminalClient } from './terminal-client.ts';

const log = pino({ level: 'silent' });

async function localCarrier(): Promise<[Carrier, Awaited<ReturnType<typeof socketPair>>[1]]> {
  const [near, far] = await socketPair();
  return [{ kind: 'upgrade', stream: near, bytesRead: () => near.bytesRead }, far];
}

describe('a link', () => {
  afterEach(() => void jest.useRealTimers());

  /** A link whose time is for the test to say, and the hub's end of it. Bytes take the time that they take. */
  async function timedLink() {
    const [carrier, far] = await localCarrier();
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'clearImmediate'] });
    const link = serveLink(carrier, () => {}, { expected: 300, answer: 100, slowest: 400 });
    const hub = http2.connect('http://device', { createConnection: () => far });
    hub.on('error', () => {});
    // The agent has measured the way.
    await once(hub, 'ping');
    await ping(hub);
    return { link, hub };
  }

  const ping = (hub: http2.ClientHttp2Session) =>
    new Promise<void>((resolve, reject) => hub.ping((error) => (error ? reject(error) : resolve())));

  it('asks for no more than the PINGs of a hub that sends them in time', async () => {
    const { link, hub } = await timedLink();
    let asked = 0;
    hub.on('ping', () => asked++);
    for (let count = 0; count < 10; count++) {
      jest.advanceTimersByTime(290);
      await ping(hub);
    }
    expect(asked).toBe(0);
    link.destroy('done');
    hub.destroy();
  });

  it('is kept when the hub is late and answers', async () => {
    const { link, hub } = await timedLink();
    let closed: string | undefined;
    void link.closed.then((reason) => (closed = reason));
    for (let count = 0; count < 5; count++) {
      const asked = once(hub, 'ping');
      jest.advanceTimersByTime(300);
      await asked;
      // The hub's answer is on its way before this, which comes back behind it.
      await ping(hub);
      jest.advanceTimersByTime(99);
    }
    await new Promise((resolve) => setImmediate(resolve));
    expect(closed).toBeUndefined();
    link.destroy('done');
    hub.destroy();
  });

  it('closes on GOAWAY when no stream is open', async () => {
    const [carrier, far] = await localCarrier();
    const link = serveLink(carrier, () => {});
    const hub = http2.connect('http://device', { createConnection: () => far });
    const goaway = once(hub, 'goaway');
    await once(hub, 'connect');
    link.close();
    await goaway;
    await link.closed;
    hub.destroy();
  });

  it('survives bytes that are no HTTP/2', async () => {
    const [carrier, far] = await localCarrier();
    const link = serveLink(carrier, () => {});
    far.on('error', () => {});
    far.write('GET / HTTP/1.1\r\n\r\n'.repeat(10));
    expect(await link.closed).toMatch(/\S/);
  });
});

describe('a dial', () => {
  let folder: string;
  let hub: TestHub;

  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'warren-dial-'))));
  afterEach(async () => {
    await hub.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const enrolAt = (url: string) =>
    enrol({ state: folder, logLevel: 'silent', hub: url, account: 'a', token: hub.token }, '1');
  const dialTo = async (url: string, ca?: string) => {
    const device = (await enrolAt(url)).enrolment;
    const token = dialToken((await readKey(folder))!, device, Date.now(), randomUUID());
    return dial({ hub: hub.url, token, version: '1', clock: new HubClock(), signal: new AbortController().signal, ca });
  };

  it.each([
    ['warren-h2', 'upgrade'],
    ['websocket', 'websocket'],
  ])('works over TLS, by %s', async (asked, kind) => {
    const { key, cert } = await selfSigned(folder);
    // Enrolment goes to a plain hub with the same key, since fetch takes no further authorities.
    hub = await new TestHub().start();
    await enrolAt(hub.url);
    const plain = hub;
    hub = await new TestHub({ key, cert }, plain).start();
    await plain.stop();
    hub.refuse = (upgrade) => (upgrade === asked ? undefined : { status: 502 });
    await expect(dialTo(plain.url)).rejects.toThrow(/self-signed certificate/);
    const carrier = await dialTo(plain.url, cert);
    expect(carrier.kind).toBe(kind);
    const registry = new TerminalRegistry(loginShells(undefined, undefined, folder), DEFAULT_LIMITS, log);
    const link = serveLink(
      carrier,
      agentHandler({
        registry,
        relays: new Relays(log),
        journal: journalOf(),
        reboot: async () => {},
        updates: new Updates(undefined),
        rotateKey: async () => {},
        version: '1',
        log,
      }),
    );
    const terminal = new TerminalClient((await hub.linked(1)).client);
    terminal.type("head -c 3000000 /dev/zero | tr '\\0' x; echo; echo END$((1))\r");
    await terminal.shows('END1');
    registry.closeAll();
    await terminal.ended;
    link.destroy('done');
    await link.closed;
  });

  it('tells why the hub refuses, and tries nothing else when the hub itself did', async () => {
    hub = await new TestHub().start();
    hub.refuse = () => ({ status: 404, body: { statusCode: 404, message: 'connect: no such device' } });
    const error = await dialTo(hub.url).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(DialRefused);
    expect(error).toMatchObject({ status: 404, message: 'connect: no such device', lasting: true });
    expect(hub.dials.map(({ upgrade }) => upgrade)).toEqual(['warren-h2']);
  });

  it('gives up a hub that closes without an answer', async () => {
    hub = await new TestHub().start();
    hub.hangUp = true;
    await expect(dialTo(hub.url)).rejects.toThrow('socket hang up');
  });
});
