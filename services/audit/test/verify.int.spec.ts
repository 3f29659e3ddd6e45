import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@warren/infra/until';
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { v7 as uuidv7 } from 'uuid';
import { loggedCheckpoint } from '../src/chain/checkpoint.log.ts';
import { headOf } from '../src/verify/verify.sql.ts';
import { AuditWorld, person, renamed } from './audit.world.ts';

const PROGRAM = join(import.meta.dirname, '../dist/verify.js');
/** Of the image with all services in one process. */
const HUB_PROGRAM = join(import.meta.dirname, '../../hub/dist/verify.js');

describe('warren-audit verify', () => {
  let world: AuditWorld;
  beforeAll(async () => {
    world = await AuditWorld.start();
  });
  afterAll(() => world?.end());

  /** An account with so many events. */
  async function account(count: number): Promise<string> {
    const accountId = uuidv7();
    const caller = person(accountId);
    await world.publish(...Array.from({ length: count }, () => renamed(caller)));
    await until(async () => (await world.ids(caller)).length === count);
    return accountId;
  }

  function run(
    args: string[],
    settings: NodeJS.ProcessEnv = {},
    program = PROGRAM,
  ): Promise<{ code: unknown; out: string }> {
    const env = { PATH: process.env['PATH'], ...world.environment(), ...settings };
    return new Promise((resolve) =>
      execFile(process.execPath, [program, ...args], { env }, (error, stdout, stderr) =>
        resolve({ code: error?.code ?? 0, out: stdout + stderr }),
      ),
    );
  }

  const tamper = (sql: string) => world.admin(`SET session_replication_role = replica; ${sql}`);

  it('ends with 0 for whole chains, and with 1 where an event was removed or changed, and names it', async () => {
    const [whole, removed, changed] = [await account(2), await account(3), await account(3)];
    expect(await run(['verify'])).toMatchObject({ code: 0, out: expect.stringMatching(/accounts: whole/) });
    await tamper(`DELETE FROM audit.events WHERE account_id = '${removed}' AND sequence = 2;
      UPDATE audit.events SET actor_id = 'x' WHERE account_id = '${changed}' AND sequence = 3`);
    const all = await run(['verify']);
    expect(all.code).toBe(1);
    expect(all.out).toMatch(new RegExp(`^${removed} 2: event 2 is missing$`, 'm'));
    expect(all.out).toMatch(new RegExp(`^${changed} 3: .*columns`, 'm'));
    expect(all.out).toMatch(/accounts: 2 broken/);
    expect(await run(['verify', '--account', whole])).toMatchObject({
      code: 0,
      out: expect.stringContaining('verified 2 events of 1 accounts: whole'),
    });
  });

  it('holds the chain against checkpoints of a log', async () => {
    const id = await account(2);
    const head = await headOf(world.source, id);
    const log = join(world.folder, 'checkpoints.log');
    await writeFile(log, JSON.stringify(loggedCheckpoint({ ...head!, sequence: 4n as never })) + '\n');
    const found = await run(['verify', '--account', id, '--checkpoints', log]);
    expect([found.code, found.out]).toEqual([1, expect.stringContaining(id)]);
  });

  it('reads the settings of audit where all services share a process', async () => {
    const accountId = await account(2);
    const { DATABASE_URL } = world.environment();
    const args = ['verify', '--account', accountId];
    const settings = { DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none', AUDIT_DATABASE_URL: DATABASE_URL };
    expect(await run(args, settings, HUB_PROGRAM)).toMatchObject({
      code: 0,
      out: expect.stringContaining('verified 2 events of 1 accounts: whole'),
    });
    await tamper(`DELETE FROM audit.events WHERE account_id = '${accountId}' AND sequence = 1`);
    const broken = await run(args, settings, HUB_PROGRAM);
    expect([broken.code, broken.out]).toEqual([1, expect.stringContaining(`${accountId} 1: event 1 is missing`)]);
  });

  it('says what is wrong with its arguments and settings', async () => {
    for (const args of [[], ['verify', '--account', 'all']])
      expect(await run(args)).toMatchObject({ code: 64, out: expect.stringContaining('usage: warren-audit verify') });
    const unset = await run(['verify'], { DATABASE_URL: '' });
    expect([unset.code, unset.out]).toEqual([78, expect.stringContaining('DATABASE_URL')]);
    const unsigned = await run(['verify', '--account', await account(1)], { AUDIT_KEY: '' });
    expect(unsigned).toMatchObject({ code: 0, out: expect.stringContaining('AUDIT_KEY is not set') });
  });
});
