import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AlertPass } from '../src/alerts/pass/alert.pass.ts';
import { AlertsWorld } from './alerts.world.ts';

describe('alerts', () => {
  const world = new AlertsWorld();
  const { pass, list, opened, changes } = world;
  let account: string;

  beforeAll(() => world.start());
  afterAll(() => world.end());
  beforeEach(() => {
    ({ account } = world.clear());
  });

  it('opens each once with passes at the same time, by two replicas', async () => {
    const replica = await world.replica();
    try {
      for (let i = 0; i < 300; i++) world.matched.add(account, { breaks: 9 });
      await Promise.all([pass(), pass(0, replica), pass(0, replica)]);
      expect(await list({ limit: 1 })).toMatchObject({ total: 300 });
      const told = await changes();
      expect(told.reduce((sum, { count }) => sum + count, 0)).toBe(300);
    } finally {
      await replica.close();
    }
  });

  it('makes a pass by one replica at a time', async () => {
    const replica = await world.replica();
    try {
      await world.source.query(`UPDATE alert_passes SET started_at = '-infinity', claimed_until = '-infinity'`);
      world.matched.add(account, { breaks: 9 });
      world.matched.asked = [];
      await Promise.all([world.app.get(AlertPass).round(), replica.get(AlertPass).round()]);
      const questions = new Set(world.matched.asked.map(({ condition }) => JSON.stringify(condition)));
      expect(world.matched.asked).toHaveLength(questions.size);
      expect(await opened()).toHaveLength(1);
    } finally {
      await replica.close();
    }
  });

  it('resumes after a process dies during a pass', async () => {
    world.matched.add(account, { breaks: 9 });
    await world.source.query(`UPDATE alert_passes SET started_at = '-infinity', claimed_until = '-infinity'`);
    const replica = await world.replica();
    let closing: Promise<void> | undefined;
    world.matched.beforeAnswer = () => {
      closing ??= replica.close();
      return Promise.resolve();
    };
    await replica
      .get(AlertPass)
      .round()
      .catch(() => undefined);
    world.matched.beforeAnswer = () => Promise.resolve();
    await closing;
    await world.source.query(`UPDATE alert_passes SET started_at = '-infinity', claimed_until = '-infinity'`);
    await world.app.get(AlertPass).round();
    expect(await opened()).toHaveLength(1);
    expect(await changes()).toHaveLength(1);
  });
});
