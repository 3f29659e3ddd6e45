import { accessRequests as text } from './messages/access-requests.ts';

/** Minutes that people choose from. */
const CHOICES = [15, 30, 60, 120, 240, 480, 1_440, 4_320, 10_080];

/** Options of how long access lasts, up to a maximum, which is one of them. */
export function durationsUpTo(longest: number): { value: string; label: string }[] {
  const minutes = [...CHOICES.filter((one) => one < longest), longest];
  return minutes.map((one) => ({ value: String(one), label: text.duration(one) }));
}

/** The default: an hour, or less if that is too long. */
export const usualDuration = (longest: number): string => String(Math.min(60, longest));
