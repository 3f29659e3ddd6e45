import type { TestInfo } from '@playwright/test';
import { Engine } from './engine.ts';
import { Machine } from './machine.ts';
import { test } from './test.ts';

const START_MS = 300_000;

/** Starts a machine before the tests of a group, and removes it after them. */
export function withMachine(host: string, started: (machine: Machine) => void): void {
  let engine: Engine | undefined;
  let machine: Machine | undefined;

  test.beforeAll(async () => {
    test.setTimeout(START_MS);
    engine = await Engine.start();
    machine = await Machine.start(engine, host);
    started(machine);
  });

  test.afterAll(async () => {
    await machine?.remove();
    await engine?.stop();
  });
}

/** Attaches what a script says on the machine to the report of a test that failed. */
export async function attachJournal(machine: Machine, info: TestInfo, script: string): Promise<void> {
  if (info.status === info.expectedStatus) return;
  const { text } = await machine.sh(script);
  await info.attach('journal of the machine', { body: text, contentType: 'text/plain' });
}
