import { describe, expect, it } from '@jest/globals';
import { fullAt, type Point } from './linear.trend.ts';

const HOUR = 3_600;
const hourly = (hours: number, value: (hour: number) => number): Point[] =>
  Array.from({ length: hours }, (_, hour) => ({ time: hour * HOUR, value: value(hour) }));

describe('the trend of a disk', () => {
  it('continues as the disk was filled', () => {
    expect(
      fullAt(
        hourly(49, (hour) => 40 + hour),
        100,
      ),
    ).toBeCloseTo(60 * HOUR, 0);
  });

  it('counts from the last value, whatever the noise before', () => {
    const points = hourly(48, (hour) => 10 + hour + (hour % 2 === 0 ? 0.5 : -0.5));
    expect((fullAt(points, 100) ?? 0) / HOUR).toBeCloseTo(47 + 43.5, 0);
  });

  it('needs a day', () => {
    expect(
      fullAt(
        hourly(24, (hour) => hour),
        100,
      ),
    ).toBeUndefined();
    expect(
      fullAt(
        hourly(25, (hour) => hour),
        100,
      ),
    ).toBeDefined();
    expect(
      fullAt(
        hourly(49, (hour) => hour).filter(({ time }) => time % (8 * HOUR) === 0),
        100,
      ),
    ).toBeUndefined();
  });

  it('is none of a disk that stays, is emptied, or fills and is emptied by turns', () => {
    expect(
      fullAt(
        hourly(48, () => 50),
        100,
      ),
    ).toBeUndefined();
    expect(
      fullAt(
        hourly(48, (hour) => 90 - hour),
        100,
      ),
    ).toBeUndefined();
    expect(
      fullAt(
        hourly(72, (hour) => 20 + (hour % 24) * 3),
        100,
      ),
    ).toBeUndefined();
  });

  it('of a full disk is now', () => {
    expect(
      fullAt(
        hourly(48, () => 100),
        100,
      ),
    ).toBe(47 * HOUR);
  });
});
