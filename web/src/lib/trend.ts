/** Numbers over time: `at` in ms since epoch, oldest first. */
export interface Sample {
  at: number;
  value: number;
}

/** Returns the end of a scale: 1, 2 or 5 times a power of ten. */
export function roundTop(most: number): number {
  if (most <= 1) return 1;
  const power = 10 ** Math.floor(Math.log10(most));
  const step = [1, 2, 5, 10].find((one) => one * power >= most) ?? 10;
  return step * power;
}

/**
 * Draws samples as an SVG path in steps: a number holds until the next sample.
 * @returns empty below two samples
 */
export function stepPath(samples: readonly Sample[], from: number, to: number, top: number, size: Size): string {
  if (samples.length < 2 || to <= from || top <= 0) return '';
  const x = (at: number) => round((Math.min(Math.max(at, from), to) - from) * (size.width / (to - from)));
  const y = (value: number) => round(size.height - Math.min(value, top) * (size.height / top));
  const [first, ...rest] = samples as [Sample, ...Sample[]];
  return [`M${x(first.at)} ${y(first.value)}`, ...rest.map(({ at, value }) => `H${x(at)}V${y(value)}`)].join('');
}

export interface Size {
  width: number;
  height: number;
}

const round = (value: number) => Math.round(value * 100) / 100;
