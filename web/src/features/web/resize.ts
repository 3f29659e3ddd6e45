const MAX_HEIGHT = 20_000;

/** The height in a `{type: 'resize', height}` message, in whole pixels; undefined for every other message. */
export function resizeHeight(data: unknown): number | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  const { type, height } = data as { type?: unknown; height?: unknown };
  if (type !== 'resize' || typeof height !== 'number' || !(height > 0)) return undefined;
  return Math.min(Math.ceil(height), MAX_HEIGHT);
}
