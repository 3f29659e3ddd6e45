import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { appendFile, chmod, chown, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir, uptime } from 'node:os';
import { join } from 'node:path';
import { compileHelper } from '../../packaging/build/helper.ts';
import { ownArch } from '../../packaging/build/arches.ts';
import { weighCrashes } from './first.day.ts';
import { Places } from './places.ts';
import { firstDaySchema, readRecord, writeRecord } from './records.ts';

const script = join(import.meta.dirname, '../../packaging/crashed.sh');
const MINUTE = 60;
const STAY = 10 * MINUTE;
/** The first compilation fetches the compiler. */
const COMPILE_MS = 180_000;
/** Any user but root, whom the state belongs to as to the agent on a device. */
const AGENT_UID = 65_534;

describe('the first day of a version', () => {
  let home: string;
  let state: string;
  let places: Places;
  let helper: string;

  beforeAll(async () => {
    if (!ownArch) throw new Error(`there is no helper for ${process.arch}`);
    helper = await compileHelper(ownArch);
  }, COMPILE_MS);

  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'warren-day-'));
    state = join(home, 'state');
    places = new Places(join(home, 'opt'), state);
    await mkdir(join(places.version('new'), 'lib'), { recursive: true });
    await symlink(helper, join(places.version('new'), 'lib/helper'));
    await mkdir(state);
    if (process.getuid?.() === 0) await chown(state, AGENT_UID, AGENT_UID);
    await symlink(places.version('new'), places.pointer('current'));
    await passed();
  });

  afterEach(() => rm(home, { recursive: true, force: true }));

  const passed = (since = new Date()) =>
    writeRecord(places.firstDay, {
      offer: 'rollout-1',
      version: '1.1.0',
      back: false,
      from: 'first',
      to: 'new',
      attempts: 1,
      since: since.toISOString(),
    });
  const noted = () => readFile(places.crashes, 'utf8').catch(() => '');
  const weigh = () => weighCrashes(places, STAY);
  const kept = async () => (await readRecord(places.firstDay, firstDaySchema))?.crashes;

  /** As systemd does when the service has ended. */
  async function end(linked: number, { result = 'exit-code', exit = '1' } = {}): Promise<void> {
    const status = { pid: 1, started: 1, state: 'connected', since: new Date().toISOString(), up: uptime(), linked };
    await writeFile(join(state, 'status.json'), `${JSON.stringify(status)}\n`);
    const env = { ...process.env, SERVICE_RESULT: result, EXIT_STATUS: exit };
    const { status: code, stderr } = spawnSync('sh', [script, places.program, state], { env, encoding: 'utf8' });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  }

  it('ends when the version crashes for the third time within minutes', async () => {
    await end(40);
    await end(40);
    expect(await weigh()).toBeUndefined();
    expect(await kept()).toMatchObject({ count: 2, weight: 2 });
    await rm(places.crashes);
    await end(40, { result: 'signal', exit: 'SEGV' });
    expect(await weigh()).toMatchObject({
      offer: 'rollout-1',
      from: 'first',
      to: 'new',
      crashes: { count: 3, weight: 3 },
      why: 'it crashed 3 times, the last time after it was linked for 40 seconds',
    });
  });

  it('weighs a crash less the longer the process was linked', async () => {
    await end(20 * MINUTE);
    await end(40 * MINUTE);
    await end(160 * MINUTE);
    expect(await weigh()).toBeUndefined();
    expect((await kept())?.weight).toBeCloseTo(1 / 2 + 1 / 4 + 1 / 16, 2);
  });

  it('ends when the version exits with a code that systemd does not restart', async () => {
    await end(300 * MINUTE, { exit: '78' });
    expect((await weigh())?.why).toContain('exit status 78');
  });

  it.each(['a stop', 'a version that was tried', 'no first day'])('records nothing for %s', async (what) => {
    if (what === 'a version that was tried') await writeFile(places.trial, '{}');
    if (what === 'no first day') await rm(places.firstDay);
    await end(40, what === 'a stop' ? { result: 'success', exit: '0' } : {});
    expect(await noted()).toBe('');
  });

  it('ignores crashes before a reboot, of another version, or after a day', async () => {
    for (let crash = 0; crash < 3; crash++) await end(40);
    const lines = await noted();
    await writeFile(places.crashes, lines.replaceAll(/^\S+/gm, 'another-boot'));
    expect(await weigh()).toBeUndefined();
    await writeFile(places.crashes, lines.replaceAll(' new ', ' former '));
    expect(await weigh()).toBeUndefined();
    expect(await kept()).toMatchObject({ count: 0 });
    await writeFile(places.crashes, lines);
    await passed(new Date(Date.now() - 25 * 3_600_000));
    expect(await weigh()).toBeUndefined();
    expect(await kept()).toBeUndefined();
  });

  it.each(['a link', 'a file that the agent may not read', 'a pipe', 'no file'])(
    'reads %s in the agent’s folder as a status that was never linked',
    async (what) => {
      const path = join(state, 'status.json');
      const status = JSON.stringify({ pid: 1, started: 1, state: 'connected', since: new Date(), up: 1, linked: 40 });
      const file = what === 'a link' ? join(home, 'status.json') : path;
      if (what === 'a pipe') spawnSync('mkfifo', [path]);
      else if (what !== 'no file') await writeFile(file, status);
      if (what === 'a link') await symlink(file, path);
      if (what === 'a file that the agent may not read') await chmod(path, 0);
      const env = { ...process.env, SERVICE_RESULT: 'watchdog', EXIT_STATUS: 'ABRT' };
      const { status: code } = spawnSync('sh', [script, places.program, state], { env });
      expect(code).toBe(0);
      expect(await noted()).toMatch(/ new ABRT \n$/);
      await appendFile(places.crashes, 'of no form\n');
      expect(await weigh()).toBeUndefined();
      expect(await kept()).toEqual({ count: 1, weight: 1 });
    },
  );
});
