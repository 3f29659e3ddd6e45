import { invalidInput, shownValue } from '@warren/platform/errors/fault';
import { ActivityTopic } from '@warren/proto/devices/v1/devices';
import { COUNTS_KEPT_HOURS, KEPT_HOURS } from './history.ts';

const MAX_LIMIT = 100;

/** @throws Fault `invalid_argument` */
export const requireHours = (hours: number): number => between('hours', hours, KEPT_HOURS);

/** @throws Fault `invalid_argument` */
export const requireTrendHours = (hours: number): number => between('hours', hours, COUNTS_KEPT_HOURS);

/** @throws Fault `invalid_argument` */
export const requireLimit = (limit: number): number => between('limit', limit, MAX_LIMIT);

/** @throws Fault `invalid_argument` */
export function requireTopic(topic: ActivityTopic): ActivityTopic {
  if (topic in ActivityTopic) return topic;
  throw invalidInput({ field: 'topic', message: 'expected a topic of events.', value: shownValue(topic) });
}

function between(field: string, value: number, most: number): number {
  if (Number.isInteger(value) && value >= 1 && value <= most) return value;
  throw invalidInput({ field, message: `expected 1 to ${most}.`, value: shownValue(value) });
}
