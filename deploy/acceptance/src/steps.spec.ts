import { describe, expect, it } from '@jest/globals';
import { Steps, Stopped } from './steps.ts';

describe('the steps of a test', () => {
  it('are tried again until the time is up', async () => {
    const lines: string[] = [];
    const steps = new Steps(Date.now() + 60_000, (line) => lines.push(line));
    let tries = 0;
    const second = () => (++tries < 2 ? Promise.reject(new Error('not yet')) : Promise.resolve(7));
    expect(await steps.need('it comes', second)).toBe(7);
    expect(lines).toEqual(['ok      it comes']);
    expect(steps.failed).toBe(0);
  });

  it('say what failed and why; what stands on it is not tried, what does not is', async () => {
    const lines: string[] = [];
    const steps = new Steps(0, (line) => lines.push(line));
    await steps.check('this', () => Promise.reject(new Error('it is broken')));
    await expect(steps.need('that', () => Promise.reject(new Error('it too')))).rejects.toThrow(Stopped);
    await steps.check('another', () => Promise.resolve());
    expect(lines).toEqual(['not ok  this: it is broken', 'not ok  that: it too', 'ok      another']);
    expect(steps.failed).toBe(2);
  });
});
