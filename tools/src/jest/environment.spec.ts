import { afterEach, expect, it, jest } from '@jest/globals';
import { tmpdir } from 'node:os';
import NativeEnvironment from './environment.ts';

const LIMIT = Symbol.for('TEST_TIMEOUT_SYMBOL');
const limit = () => Reflect.get(globalThis, LIMIT) as number | undefined;

afterEach(() => void Reflect.deleteProperty(process.env, 'WARREN_ADDED'));

it('puts back what a test file changes of the process', async () => {
  const { console, setTimeout } = globalThis;
  const { exit, env } = process;
  const [home, folder] = [env['HOME'], process.cwd()];
  const environment = new NativeEnvironment({ projectConfig: { fakeTimers: {} } } as never);

  environment.fakeTimersModern.useFakeTimers();
  globalThis.console = Object.create(console) as Console;
  process.exit = () => undefined as never;
  env['WARREN_ADDED'] = 'yes';
  env['HOME'] = '/elsewhere';
  process.chdir(tmpdir());
  jest.setTimeout(170_000);
  expect(limit()).toBe(170_000);
  await environment.teardown();

  expect(globalThis.console).toBe(console);
  expect(globalThis.setTimeout).toBe(setTimeout);
  expect(process.exit).toBe(exit);
  expect(env).not.toHaveProperty('WARREN_ADDED');
  expect([env['HOME'], process.cwd(), limit()]).toEqual([home, folder, undefined]);
});
