const two = (value: number) => String(value).padStart(2, '0');

/** A moment of a recording: `0:07`, `12:34`, `1:02:03`. */
export function momentText(ms: number): string {
  const total = Math.max(0, Math.floor(ms / 1_000));
  const hours = Math.floor(total / 3_600);
  const rest = `${hours > 0 ? two(Math.floor(total / 60) % 60) : Math.floor(total / 60)}:${two(total % 60)}`;
  return hours > 0 ? `${hours}:${rest}` : rest;
}

/** The page of a recording, at a moment. @param find a text that is marked on the screen */
export function momentPath(id: string, atMs?: number, find?: string): string {
  const query = new URLSearchParams({
    ...(atMs !== undefined && { t: String(Math.floor(atMs) / 1_000) }),
    ...(find && { find }),
  });
  return query.size > 0 ? `/sessions/${id}?${query}` : `/sessions/${id}`;
}

/** Reads `t` of the address: seconds, such as `93.5`; 0 for anything else. @returns milliseconds */
export function momentIn(text: string | null): number {
  const seconds = Number(text ?? 0);
  return Number.isFinite(seconds) && seconds > 0 ? Math.round(seconds * 1_000) : 0;
}
