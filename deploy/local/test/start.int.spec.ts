import { afterEach, describe, expect, it } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@warren/infra/ports';
import { failure } from '../src/failure.ts';
import { lock } from '../src/lock.ts';
import { readSettings } from '../src/settings.ts';
import { checkPorts } from '../src/steps/ports.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  while (cleanups.length) await cleanups.pop()?.();
});

async function folder(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'warren-start-'));
  cleanups.push(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

async function freePorts(): Promise<NodeJS.ProcessEnv> {
  const names = [
    'IDP',
    'MAIL',
    'SMTP',
    'GATEWAY_OPS',
    'IDENTITY_OPS',
    'TENANCY_OPS',
    'DEVICES_OPS',
    'FLEET_OPS',
    'AUDIT_OPS',
    'TUNNELS_OPS',
    'TUNNELS',
  ];
  const variables = [...names, 'POSTGRES', 'REDIS', 'NATS'].map((name) => `WARREN_PORT_${name}`);
  const ports = await Promise.all([...variables, 'WARREN_PORT'].map(async (name) => [name, String(await freePort())]));
  return Object.fromEntries(ports) as NodeJS.ProcessEnv;
}

describe('a port in use', () => {
  it('is one line that says which and what to do', async () => {
    const environment = await freePorts();
    const taken = createServer().listen(Number(environment['WARREN_PORT_NATS']), '127.0.0.1');
    await once(taken, 'listening');
    cleanups.push(() => new Promise((resolve) => taken.close(resolve)));
    const error = await checkPorts(readSettings(environment)).catch((caught: Error) => caught);
    const port = Number(environment['WARREN_PORT_NATS']);
    expect(failure(error)).toBe(
      `Port ${port} (nats) is in use: end the program that has it, or choose another: WARREN_PORT_NATS=${port + 1000} in front of the command`,
    );
  });

  it('of a replica is reported as such, with the variable of the first one', async () => {
    const environment: NodeJS.ProcessEnv = { ...(await freePorts()), WARREN_TUNNELS_REPLICAS: '2' };
    const first = Number(environment['WARREN_PORT_TUNNELS']);
    const taken = createServer().listen(first + 100, '127.0.0.1');
    await once(taken, 'listening');
    cleanups.push(() => new Promise((resolve) => taken.close(resolve)));
    const error = await checkPorts(readSettings(environment)).catch((caught: Error) => caught);
    expect(failure(error)).toBe(
      `Port ${first + 100} (tunnels) is in use: end the program that has it, or choose another: WARREN_PORT_TUNNELS=${first + 1000} in front of the command`,
    );
  });

  it('is waited for while what had it goes away', async () => {
    const environment = await freePorts();
    const leaving = createServer().listen(Number(environment['WARREN_PORT_REDIS']), '127.0.0.1');
    await once(leaving, 'listening');
    const checked = checkPorts(readSettings(environment));
    setTimeout(() => leaving.close(), 300);
    await expect(checked).resolves.toBeUndefined();
  });

  it("does not matter when the server is someone else's", async () => {
    const environment = await freePorts();
    const taken = createServer().listen(Number(environment['WARREN_PORT_NATS']), '127.0.0.1');
    await once(taken, 'listening');
    cleanups.push(() => new Promise((resolve) => taken.close(resolve)));
    await checkPorts(readSettings({ ...environment, WARREN_NATS_URL: 'nats://127.0.0.1:4222' }));
  });
});

describe('the lock of a home', () => {
  it('lets one start in at a time', async () => {
    const file = join(await folder(), 'warren.pid');
    const other: ChildProcess = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    cleanups.push(async () => other.kill('SIGKILL'));
    await writeFile(file, String(other.pid));
    await expect(lock(file, '/home/ada/warren/.warren')).rejects.toThrow(`process ${other.pid}`);
    other.kill('SIGKILL');
    await once(other, 'exit');
    const release = await lock(file, 'home');
    await release();
    await expect(lock(file, 'home')).resolves.toBeDefined();
  });
});

describe('a missing right', () => {
  it('is one line that says whose the folder is and what to type', async () => {
    const dir = await folder();
    await chmod(dir, 0o500);
    const denied = Object.assign(new Error('denied'), { code: 'EACCES', path: join(dir, 'logs') });
    expect(failure(denied)).toBe(
      `No right to write ${dir}/logs, which belongs to user ${process.getuid?.()}: run sudo chown -R ${process.getuid?.()} ${dir}`,
    );
  });
});
