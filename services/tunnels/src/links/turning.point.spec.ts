import { describe, expect, it } from '@jest/globals';
import { TurningPoint } from './turning.point.ts';

describe('TurningPoint', () => {
  it('tells who listens, once', () => {
    const point = new TurningPoint();
    const heard: string[] = [];
    point.listen(() => heard.push('a'));
    const undo = point.listen(() => heard.push('b'));
    undo();
    expect(point.happened).toBe(false);
    point.happen();
    point.happen();
    expect(heard).toEqual(['a']);
    expect(point.happened).toBe(true);
    point.listen(() => heard.push('late'));
    expect(heard).toEqual(['a']);
  });

  it('is a signal to those who ask, before and after', () => {
    const point = new TurningPoint();
    const { signal } = point;
    expect(signal.aborted).toBe(false);
    point.happen();
    expect(signal.aborted).toBe(true);
    const late = new TurningPoint();
    late.happen();
    expect(late.signal.aborted).toBe(true);
  });
});
