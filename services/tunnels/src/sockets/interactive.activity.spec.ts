import { describe, expect, it } from '@jest/globals';
import { InteractiveActivity } from './interactive.activity.ts';

const [typist, flood, third] = [{}, {}, {}];

function at() {
  let now = 0;
  const activity = new InteractiveActivity(() => now);
  return { activity, later: (ms: number) => (now += ms) };
}

describe('InteractiveActivity', () => {
  it('reports another socket that was sent something short', () => {
    const { activity } = at();
    expect(activity.besides(flood)).toBe(false);
    activity.sent(typist, 1);
    expect(activity.besides(flood)).toBe(true);
    expect(activity.besides(typist)).toBe(false);
  });

  it('ignores bulk traffic', () => {
    const { activity } = at();
    activity.sent(third, 64_000);
    expect(activity.besides(flood)).toBe(false);
  });

  it('survives messages to the asking socket', () => {
    const { activity } = at();
    activity.sent(typist, 1);
    activity.sent(flood, 100);
    activity.sent(flood, 100);
    expect(activity.besides(flood)).toBe(true);
  });

  it('ends after a second', () => {
    const { activity, later } = at();
    activity.sent(typist, 1);
    later(999);
    expect(activity.besides(flood)).toBe(true);
    later(1);
    expect(activity.besides(flood)).toBe(false);
  });
});
