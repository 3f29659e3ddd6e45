import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startNats } from '@warren/infra/nats';
import { freePort } from '@warren/infra/ports';
import { until } from '@warren/infra/until';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../..');

let nats: Awaited<ReturnType<typeof startNats>>;
let child: ChildProcess | undefined;

beforeAll(async () => {
  // What runs is what is written here, not what was built some time ago.
  const tsc = join(ROOT, 'node_modules/typescript-native/bin/tsc');
  const built = spawnSync(process.execPath, [tsc, '-b', 'services/tunnels'], { cwd: ROOT, stdio: 'inherit' });
  expect(built.status).toBe(0);
  nats = await startNats();
});
afterAll(async () => {
  child?.kill('SIGKILL');
  await nats?.stop();
});

it('ends a process in good order while a client asks again and again on its connection', async () => {
  const port = await freePort('127.0.0.1');
  const env = {
    PATH: process.env['PATH'],
    NODE_ENV: 'test',
    LOG_LEVEL: process.env['TEST_LOG_LEVEL'] ?? 'silent',
    NATS_URL: nats.url,
    OPS_PORT: '0',
    PORT: String(port),
  };
  child = spawn(process.execPath, [join(import.meta.dirname, 'slow.process.ts')], { env, stdio: 'inherit' });
  const exited = once(child, 'exit');
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const answered = () =>
    new Promise<boolean>((resolve) => {
      const onAnswer = (answer: IncomingMessage) => void answer.resume().once('end', () => resolve(true));
      get({ port, host: '127.0.0.1', agent }, onAnswer).once('error', () => resolve(false));
    });
  await until(answered, 60_000);
  let answers = 0;
  const asking = (async () => {
    while (await answered()) answers++;
  })();
  await until(() => answers > 0);
  child.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);
  await asking;
  agent.destroy();
});
