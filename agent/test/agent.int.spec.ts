import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { enrol } from '../src/enrol.ts';
import { readStatus } from '../src/state/status.ts';
import { TerminalClient } from './terminal-client.ts';
import { World } from './world.ts';

describe('the agent, with a hub over real sockets', () => {
  let world: World;
  beforeEach(async () => (world = await World.make()));
  afterEach(() => world.end());

  describe('enrolment', () => {
    it('proves its key, keeps it to itself, and is not repeated', async () => {
      const first = await world.enrol();
      expect(first.fresh).toBe(true);
      expect(world.hub.enrolled).toHaveLength(1);
      expect(world.hub.enrolled[0]).toMatchObject({ account: 'account-1', facts: { agentVersion: '1.2.3' } });
      expect(first.enrolment.serial).not.toBe('');
      expect((await stat(join(world.state, 'key.pem'))).mode & 0o777).toBe(0o600);
      expect((await stat(world.state)).mode & 0o777).toBe(0o700);
      expect(await readFile(join(world.state, 'device.json'), 'utf8')).not.toContain(world.hub.token);
      const key = await readFile(join(world.state, 'key.pem'), 'utf8');
      world.hub.token = 'another';
      const again = await world.enrol();
      expect(again).toEqual({ enrolment: first.enrolment, fresh: false });
      expect(await readFile(join(world.state, 'key.pem'), 'utf8')).toBe(key);
      expect(world.hub.enrolled).toHaveLength(1);
    });

    it('says why the hub refuses', async () => {
      const bad = {
        state: world.state,
        logLevel: 'silent' as const,
        hub: world.hub.url,
        account: 'account-1',
        token: 'wrong',
      };
      await expect(enrol(bad, '1')).rejects.toThrow('refused to enrol this device: enrol: the token is not valid');
    });

    it('says when the hub is not there', async () => {
      await world.hub.stop();
      await expect(world.enrol()).rejects.toThrow(/can't reach the hub at http:\/\/localhost:\d+: .*ECONNREFUSED/);
    });

    it('does not leave its hub for another', async () => {
      await world.enrol();
      const elsewhere = {
        state: world.state,
        logLevel: 'silent' as const,
        hub: 'http://other.example',
        account: 'a',
        token: 't',
      };
      await expect(enrol(elsewhere, '1')).rejects.toThrow(/already enrolled with http:\/\/localhost/);
    });
  });

  describe('a reboot', () => {
    it('runs the command of this device', async () => {
      const mark = join(world.state, 'rebooted');
      await world.start({ rebootCommand: ['touch', mark] });
      const { client } = await world.hub.linked(1);
      await client.reboot({ userEmail: 'ada@example.com' });
      expect((await stat(mark)).isFile()).toBe(true);
    });

    it('is refused with the reason of the device', async () => {
      await world.start({ rebootCommand: [join(world.state, 'nothing')] });
      const { client } = await world.hub.linked(1);
      await expect(client.reboot({})).rejects.toThrow(/\[failed_precondition\] this device has no .*nothing/);
    });
  });

  describe('a terminal', () => {
    it('runs a login shell, echoes, resizes, and keeps UTF-8 whole', async () => {
      await world.start();
      const terminal = await world.open();
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
      await world.start();
      const terminal = await world.open();
      // Typed at the shell's own prompt, a return would be no end of a line to `cat`.
      terminal.type('echo re""ady; exec cat\r');
      await terminal.shows('ready\r\n');
      terminal.type('a漢\u007fb\r');
      await terminal.until(() => /ab\r\n$/.test(terminal.text));
      expect(terminal.text).not.toContain('\ufffd');
    });

    it('ends when it is closed', async () => {
      await world.start();
      const terminal = await world.open();
      terminal.type('sleep 1000\r');
      await terminal.shows('sleep 1000\r\n');
      terminal.close();
      expect(await terminal.ended).toBeUndefined();
      expect(terminal.exit).toEqual({ code: 0, signal: 'SIGHUP' });
    });

    it('gives all output of a program that exits faster than the browser reads', async () => {
      await world.start();
      const terminal = await world.open();
      terminal.acks = false;
      terminal.type(
        'exec sh -c "stty -echo -onlcr; echo BEGIN; head -c 600000 /dev/zero | tr \'\\\\0\' x; echo LAST"\r',
      );
      await terminal.until(() => terminal.offset >= 256 * 1024);
      expect(terminal.offset).toBe(256 * 1024);
      terminal.acks = true;
      terminal.ack(terminal.offset);
      await terminal.ended;
      expect(terminal.exit).toEqual({ code: 0, signal: '' });
      expect(terminal.text).toMatch(/x{600000}LAST\n$/);
    });

    it('has no descriptor of another terminal', async () => {
      await world.start();
      // What the process of the tests passes on of its former ones is in both.
      const count = async (terminal: Awaited<ReturnType<World['open']>>) => {
        terminal.type('ls -l /proc/self/fd | grep -c ptmx; echo done$((2))\r');
        await terminal.shows('done2');
        return Number(/\D(\d+)\r\ndone2/.exec(terminal.text)?.[1]);
      };
      const before = await count(await world.open());
      expect(before).not.toBeNaN();
      expect(await count(await world.open())).toBe(before);
    });

    it('refuses an open with nonsense in it', async () => {
      await world.start();
      const link = await world.hub.linked(1);
      const terminal = new TerminalClient(link.client, { userId: '' });
      expect(String(await terminal.ended)).toMatch(/invalid_argument/);
    });
  });

  describe('under a flood', () => {
    it('acts on Ctrl-C before much more is printed, and its memory stays flat', async () => {
      await world.start();
      const terminal = await world.open();
      terminal.type("yes 'a line of output that goes on and on'\r");
      await terminal.until(() => terminal.bytes > 10_000_000 || (terminal.forget(), false));
      global.gc?.();
      const before = process.memoryUsage().rss;
      await terminal.until(() => terminal.bytes > 50_000_000 || (terminal.forget(), false));
      expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1024 * 1024);
      // Nearly all bytes move in large messages, however small the reads were.
      const sum = (sizes: number[]) => sizes.reduce((total, size) => total + size, 0);
      const large = terminal.messages.filter((size) => size > 16 * 1024);
      expect(sum(large) / sum(terminal.messages)).toBeGreaterThan(0.8);
      terminal.forget();
      const printed = terminal.bytes;
      terminal.type('\u0003');
      await terminal.shows('^C');
      terminal.type('echo prompt$((1))\r');
      await terminal.shows('prompt1');
      // Output in flight at the keystroke, plus the delay of a busy machine; at full speed a second prints far more.
      expect(terminal.bytes - printed).toBeLessThan(8 * 1024 * 1024);
    });

    it('pauses the program without acknowledgements, and Ctrl-C still works', async () => {
      await world.start();
      const terminal = await world.open();
      terminal.acks = false;
      terminal.type('yes\r');
      await terminal.until(() => terminal.offset === 256 * 1024);
      terminal.type('\u0003');
      terminal.acks = true;
      terminal.ack(terminal.offset);
      await terminal.shows('^C');
      terminal.type('echo alive$((1))\r');
      await terminal.shows('alive1');
    });

    it('accepts a paste before the program reads it, without hanging', async () => {
      await world.start();
      const terminal = await world.open();
      terminal.type('stty raw -echo; echo raw$((1)); sleep 1; head -c 300000 | cksum; stty sane\r');
      await terminal.shows('raw1');
      terminal.type(Buffer.alloc(300_000, 'p'));
      // Another terminal is as quick as ever meanwhile.
      const other = await world.open();
      other.type('echo other$((1))\r');
      await other.shows('other1');
      await terminal.shows('300000');
    });
  });

  describe('beside others', () => {
    it('tells its state', async () => {
      await world.start();
      await world.hub.linked(1);
      let status = await readStatus(world.state);
      while (status?.state !== 'connected') status = await readStatus(world.state);
      expect(status.pid).toBe(process.pid);
    });

    it('reports facts that were read from this machine', async () => {
      await world.start();
      const link = await world.hub.linked(1);
      for await (const facts of link.client.watchFacts({})) {
        expect(facts.hostname).not.toBe('');
        expect(facts.cpuCores).toBeGreaterThan(0);
        expect(facts.totalRam).toBeGreaterThan(facts.usedRam);
        expect(facts.totalDisk).toBeGreaterThan(facts.usedDisk);
        expect(facts.usedRam).toBeGreaterThan(0n);
        expect(facts.os).not.toBe('');
        expect(facts.fullestDisk).toMatch(/^\//);
        expect(facts.fullestDiskUsage).toBeGreaterThan(0);
        expect(facts.load).toBeGreaterThanOrEqual(0);
        expect(Math.abs(Number(facts.time) - Date.now())).toBeLessThan(60_000);
        expect(facts.agentVersion).toBe('1.2.3');
        break;
      }
    });

    it('says goodbye and ends its terminals when it stops', async () => {
      await world.start();
      const terminal = await world.open();
      terminal.type('echo up$((1))\r');
      await terminal.shows('up1');
      await world.stopAgent();
      await terminal.ended;
      expect(terminal.exit?.signal).toBe('SIGHUP');
      expect(world.hub.links).toHaveLength(1);
    });
  });
});
