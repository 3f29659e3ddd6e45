import type { JestEnvironment, JestEnvironmentConfig } from '@jest/environment';
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

/** Where `jest.setTimeout` leaves its number. */
const TIME_LIMIT = Symbol.for('TEST_TIMEOUT_SYMBOL');

/** The worker's own globals, for runtime.ts. What a test file changes of the process is put back after it. */
export default class NativeEnvironment implements JestEnvironment {
  readonly global = globalThis as JestEnvironment['global'];
  readonly moduleMocker = new ModuleMocker(globalThis);
  readonly fakeTimers = null;
  readonly fakeTimersModern: ModernFakeTimers;
  private readonly before = {
    console: globalThis.console,
    exit: process.exit,
    getBuiltinModule: process.getBuiltinModule,
    env: { ...process.env },
    cwd: process.cwd(),
  };

  constructor({ projectConfig }: JestEnvironmentConfig) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  getVmContext(): null {
    return null;
  }

  async setup(): Promise<void> {}

  async teardown(): Promise<void> {
    this.fakeTimersModern.dispose();
    Reflect.deleteProperty(globalThis, TIME_LIMIT);
    const { console, exit, getBuiltinModule, env, cwd } = this.before;
    globalThis.console = console;
    Object.assign(process, { exit, getBuiltinModule });
    for (const name of Object.keys(process.env)) if (!(name in env)) Reflect.deleteProperty(process.env, name);
    Object.assign(process.env, env);
    process.chdir(cwd);
  }
}
