import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { setTimeout as sleep } from 'node:timers/promises';
import { startAgent, type Agent } from '../src/agent.ts';
import { enrol } from '../src/enrol.ts';
import { readStatus } from '../src/state/status.ts';
import { markOf } from '../src/system/processes.ts';
import { TestHub } from './hub.ts';
import { TerminalClient } from './terminal-client.ts';

jest.setTimeout(30_000);

const log = pino({ level: process.env['WARREN_TEST_LOG'] ?? 'silent' });

/** Settles when there is no process `pid`. */
async function gone(pid: number): Promise<void> {
  while (await markOf(pid)) await sleep(20);
}

describe('the agent, with a hub over real sockets', () => {
  let state: string;
  let hub: TestHub;
  let agent: Agent | undefined;

  beforeEach(async () => {
    state = await mkdtemp(join(tmpdir(), 'warren-agent-'));
    hub = await new TestHub().start();
  });

  afterEach(async () => {
    await agent?.stop();
    agent = undefined;
    await hub.stop();
    await rm(state, { recursive: true, force: true });
  });

  const enrolHere = () =>
    enrol({ state, logLevel: 'silent', hub: hub.url, account: 'account-1', token: hub.token }, '1.2.3');
  const start = async () => {
    await enrolHere();
    agent = await startAgent({ state, logLevel: 'silent' }, '1.2.3', log);
  };
  const open = async (options?: ConstructorParameters<typeof TerminalClient>[1]) => {
    const link = await hub.linked(Math.max(1, hub.links.length));
    return new TerminalClient(link.client, options);
  };

  describe('enrolment', () => {
    it('proves its key, keeps it to itself, and is not repeated', async () => {
      const first = await enrolHere();
      expect(first.fresh).toBe(true);
      expect(hub.enrolled).toHaveLength(1);
      expect(hub.enrolled[0]).toMatchObject({ account: 'account-1', facts: { agentVersion: '1.2.3' } });
      expect(first.enrolment.serial).not.toBe('');
      expect((await stat(join(state, 'key.pem'))).mode & 0o777).toBe(0o600);
      expect((await stat(state)).mode & 0o777).toBe(0o700);
      expect(await readFile(join(state, 'device.json'), 'utf8')).not.toContain(hub.token);
      const key = await readFile(join(state, 'key.pem'), 'utf8');
      hub.token = 'another';
      const again = await enrolHere();
      expect(again).toEqual({ enrolment: first.enrolment, fresh: false });
      expect(await readFile(join(state, 'key.pem'), 'utf8')).toBe(key);
      expect(hub.enrolled).toHaveLength(1);
    });

    it('says why the hub refuses', async () => {
      const bad = { state, logLevel: 'silent' as const, hub: hub.url, account: 'account-1', token: 'wrong' };
      await expect(enrol(bad, '1')).rejects.toThrow('refused to enrol this device: enrol: the token is not valid');
    });

    it('says when the hub is not there', async () => {
      await hub.stop();
      await expect(enrolHere()).rejects.toThrow(/can't reach the hub at http:\/\/localhost:\d+: .*ECONNREFUSED/);
    });

    it('does not leave its hub for another', async () => {
      await enrolHere();
      const elsewhere = { state, logLevel: 'silent' as const, hub: 'http://other.example', account: 'a', token: 't' };
      await expect(enrol(elsewhere, '1')).rejects.toThrow(/already enrolled with http:\/\/localhost/);
    });
  });

  describe('a terminal', () => {
    it('runs a login shell, echoes, resizes, and keeps UTF-8 whole', async () => {
      await start();
      const terminal = await open();
      terminal.type('echo $((6*7)) $TERM $WARREN_USER\r');
      await terminal.shows('42 xterm-256color ada@example.com');
      terminal.type('stty size\r');
      await terminal.shows('24 80');
      terminal.resize(133, 41);
      terminal.type('stty size\r');
      await terminal.shows('41 133');
      // A character split over two inputs, and many of them over the borders of reads.
      const bytes = Buffer.from("printf '%s.%s\\n' 'Grü' 'ße 漢字 🦊'\r");
      for (const byte of bytes) terminal.type(Buffer.from([byte]));
      await terminal.shows('Grü.ße 漢字 🦊');
      terminal.type("clear; for i in $(seq 20000); do printf 'ä漢🦊'; done; echo; echo END$((1+1))\r");
      await terminal.shows('END2');
      expect(terminal.text).not.toContain('\ufffd');
      expect(terminal.text).toContain('ä漢🦊'.repeat(20_000));
      terminal.type('exit 3\r');
      await terminal.ended;
      expect(terminal.exit).toEqual({ code: 3, signal: '' });
    });

    it('erases whole characters in line editing', async () => {
      await start();
      const terminal = await open();
      terminal.type('exec cat\r');
      await terminal.shows('exec cat\r\n');
      terminal.type('a漢\u007fb\r');
      await terminal.until(() => /ab\r\n$/.test(terminal.text));
      expect(terminal.text).not.toContain('\ufffd');
    });

    it('ends when it is closed', async () => {
      await start();
      const terminal = await open();
      terminal.type('sleep 1000\r');
      await terminal.shows('sleep 1000\r\n');
      terminal.close();
      expect(await terminal.ended).toBeUndefined();
      expect(terminal.exit).toEqual({ code: 0, signal: 'SIGHUP' });
    });

    it('gives all output of a program that exits faster than the browser reads', async () => {
      await start();
      const terminal = await open();
      terminal.acks = false;
      terminal.type(
        'exec sh -c "stty -echo -onlcr; echo BEGIN; head -c 600000 /dev/zero | tr \'\\\\0\' x; echo LAST"\r',
      );
      await terminal.until(() => terminal.offset >= 512 * 1024);
      expect(terminal.offset).toBe(512 * 1024);
      terminal.acks = true;
      terminal.ack(terminal.offset);
      await terminal.ended;
      expect(terminal.exit).toEqual({ code: 0, signal: '' });
      expect(terminal.text).toMatch(/x{600000}LAST\n$/);
    });

    it('has no descriptor of another terminal', async () => {
      await start();
      const first = await open();
      first.type('echo one$((1))\r');
      await first.shows('one1');
      const second = await open();
      second.type('ls -l /proc/self/fd | grep -c ptmx; echo done$((2))\r');
      await second.shows('done2');
      expect(second.text).toMatch(/\D0\r\ndone2/);
    });

    it('refuses an open with nonsense in it', async () => {
      await start();
      const link = await hub.linked(1);
      const terminal = new TerminalClient(link.client, { userId: '' });
      expect(String(await terminal.ended)).toMatch(/invalid_argument/);
    });
  });

  describe('under a flood', () => {
    it('acts on Ctrl-C within 200 ms, and its memory stays flat', async () => {
      await start();
      const terminal = await open();
      terminal.type("yes 'a line of output that goes on and on'\r");
      await terminal.until(() => terminal.bytes > 20_000_000 || (terminal.forget(), false));
      global.gc?.();
      const before = process.memoryUsage().rss;
      await terminal.until(() => terminal.bytes > 80_000_000 || (terminal.forget(), false));
      expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1024 * 1024);
      // Nearly all bytes move in large messages, however small the reads were.
      const sum = (sizes: number[]) => sizes.reduce((total, size) => total + size, 0);
      const large = terminal.messages.filter((size) => size > 16 * 1024);
      expect(sum(large) / sum(terminal.messages)).toBeGreaterThan(0.8);
      terminal.forget();
      const at = performance.now();
      terminal.type('\u0003');
      await terminal.shows('^C');
      terminal.type('echo prompt$((1))\r');
      await terminal.shows('prompt1');
      expect(performance.now() - at).toBeLessThan(200);
    });

    it('holds the program when nobody acknowledges, and Ctrl-C still works', async () => {
      await start();
      const terminal = await open();
      terminal.acks = false;
      terminal.type('yes\r');
      await terminal.until(() => terminal.offset === 512 * 1024);
      terminal.type('\u0003');
      terminal.acks = true;
      terminal.ack(terminal.offset);
      await terminal.shows('^C');
      terminal.type('echo alive$((1))\r');
      await terminal.shows('alive1');
    });

    it('takes a paste that nobody reads without hanging, and gives it to who reads it later', async () => {
      await start();
      const terminal = await open();
      terminal.type('stty raw -echo; echo raw$((1)); sleep 1; head -c 300000 | cksum; stty sane\r');
      await terminal.shows('raw1');
      terminal.type(Buffer.alloc(300_000, 'p'));
      // Another terminal is as quick as ever meanwhile.
      const other = await open();
      other.type('echo other$((1))\r');
      await other.shows('other1');
      await terminal.shows('300000');
    });
  });

  describe('a broken link', () => {
    it('dials again and comes back to the same session, no byte lost or twice', async () => {
      await start();
      const first = await open();
      first.type('stty -echo; PS1=; echo begin$((1)); (for i in $(seq 100000); do echo $i; done)\r');
      await first.until(() => first.offset > 100_000);
      hub.links[0]!.socket.destroy();
      await first.ended;
      const link = await hub.linked(2);
      const second = new TerminalClient(link.client, { session: first.session, offset: first.offset });
      await second.shows('\n100000\r\n');
      expect(second.from).toBe(first.offset);
      const text = Buffer.concat([first.output, second.output]).toString();
      const numbers = text.split('\r\n').filter((line) => /^\d+$/.test(line));
      expect(numbers).toEqual(Array.from({ length: 100_000 }, (_, i) => String(i + 1)));
    });

    it('lets the newer of two attachments win, and only of the same person', async () => {
      await start();
      const first = await open();
      first.type('echo mine$((1))\r');
      await first.shows('mine1');
      const stranger = await open({ session: first.session, userId: 'user-2' });
      await stranger.ended;
      expect(stranger.refused).toBe('this terminal session has ended');
      const second = await open({ session: first.session });
      await first.ended;
      expect(first.refused).toBe('this terminal was taken over by another window');
      await second.shows('mine1');
      second.type('echo still$((1))\r');
      await second.shows('still1');
    });

    it('keeps the output and the exit of a program that ends meanwhile', async () => {
      await start();
      const first = await open();
      first.type('stty -echo; echo pid=$$.; sleep 0.5; echo got it; exit 7\r');
      await first.until(() => /pid=\d+\./.test(first.text));
      first.abort();
      await first.ended;
      await gone(Number(/pid=(\d+)\./.exec(first.text)![1]));
      const second = await open({ session: first.session, offset: first.offset });
      await second.ended;
      expect(first.text + second.text).toContain('got it');
      expect(second.exit).toEqual({ code: 7, signal: '' });
    });

    it('waits longer and longer while the hub is away, and honours Retry-After', async () => {
      await start();
      await hub.linked(1);
      hub.refuse = () => ({ status: 503, headers: { 'retry-after': '2' } });
      hub.links[0]!.socket.destroy();
      await hub.dialled(3);
      expect(hub.dials[2]!.at - hub.dials[1]!.at).toBeGreaterThanOrEqual(1_950);
      hub.refuse = undefined;
      await hub.linked(2);
    }, 15_000);

    it('dials again at once on GOAWAY while the old link finishes', async () => {
      await start();
      const first = await open();
      first.type('echo before$((1))\r');
      await first.shows('before1');
      hub.links[0]!.session.goaway();
      await hub.linked(2);
      first.type('echo after$((1))\r');
      await first.shows('after1');
      first.close();
      await first.ended;
      expect(first.exit?.signal).toBe('SIGHUP');
    });

    it('falls back to a WebSocket where the upgrade is refused', async () => {
      hub.refuse = (upgrade) => (upgrade === 'websocket' ? undefined : { status: 400 });
      await start();
      const link = await hub.linked(1);
      expect(link.kind).toBe('websocket');
      const terminal = await open();
      terminal.type("head -c 3000000 /dev/zero | tr '\\0' x; echo; echo END$((1))\r");
      await terminal.shows('END1');
      terminal.close();
      await terminal.ended;
      link.socket.destroy();
      expect((await hub.linked(2)).kind).toBe('websocket');
    });

    it('learns the time from a hub that refuses its token', async () => {
      await enrolHere();
      const real = Date.now;
      Date.now = () => real() - 365 * 86_400_000;
      try {
        agent = await startAgent({ state, logLevel: 'silent' }, '1', log);
        // The hub of this test runs in the same process, so its clock is put right by the answer's Date header.
        hub.refuse = () => ({ status: 401, headers: { date: new Date(real()).toUTCString() } });
        await hub.dialled(1);
        Date.now = real;
        hub.refuse = undefined;
        await hub.dialled(2);
      } finally {
        Date.now = real;
      }
    });
  });

  describe('beside others', () => {
    it('tells its state, and refuses a second agent', async () => {
      await start();
      await hub.linked(1);
      let status = await readStatus(state);
      while (status?.state !== 'connected') status = await readStatus(state);
      expect(status.pid).toBe(process.pid);
    });

    it('reports facts that were read from this machine', async () => {
      await start();
      const link = await hub.linked(1);
      for await (const facts of link.client.watchFacts({})) {
        expect(facts.hostname).not.toBe('');
        expect(facts.cpuCores).toBeGreaterThan(0);
        expect(facts.totalRam).toBeGreaterThan(facts.usedRam);
        expect(facts.totalDisk).toBeGreaterThan(facts.usedDisk);
        expect(facts.usedRam).toBeGreaterThan(0n);
        expect(facts.os).not.toBe('');
        expect(facts.agentVersion).toBe('1.2.3');
        break;
      }
    });

    it('says goodbye and ends its sessions when it stops', async () => {
      await start();
      const terminal = await open();
      terminal.type('echo up$((1))\r');
      await terminal.shows('up1');
      await agent!.stop();
      agent = undefined;
      await terminal.ended;
      expect(terminal.exit?.signal).toBe('SIGHUP');
      expect(hub.links).toHaveLength(1);
    });
  });
});
