/** Formats when a window opens, in its time zone: `Sat 28 Nov, 02:00 (Europe/Berlin)`. */
export function openingText(opens: string, timeZone: string): string {
  const parts = { weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' } as const;
  const local = new Intl.DateTimeFormat('en-GB', { ...parts, timeZone }).format(new Date(opens));
  return `${local} (${timeZone})`;
}
