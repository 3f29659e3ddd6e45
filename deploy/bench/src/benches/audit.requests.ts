import { createHash } from 'node:crypto';
import { RARE } from '../data/trail.ts';
import type { ListRequest } from './lists.requests.ts';

/** Limit of the 95th percentile of any page, in milliseconds. */
export const MOST_MS = 100;
/** Ids of the data set: its first account has a tenth of all events. */
const LARGE = '01990000-0000-7000-8001-000000000001';
const SMALL = '01990000-0000-7000-8001-0000000001f4';
/** A person and a device of the small account, which is number 500. */
const PERSON = '01990000-0000-7000-8003-0000000061bc';
const DEVICE = 50_013;

function deviceId(): string {
  const hex = createHash('md5').update(`device${DEVICE}`).digest('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Texts by how many events have them. None of the parts of the absent one is rare. */
export const TEXTS = {
  'in most': 'pump',
  'of a device': `pump ${DEVICE}`,
  'in one of 2 million': RARE.words,
  'in none': 'pump 999999',
  'part of an id': deviceId().slice(0, 13),
};

/** A page of the middle of the trail, and the time at which it begins. */
export interface Middle {
  cursor: string;
  time: string;
}

/** Each filter of the audit page alone, those that people combine, and pages far from the newest. */
export function auditRequests({ cursor, time }: Middle): readonly ListRequest[] {
  const list = (name: string, query: Record<string, string>): ListRequest => ({
    name,
    path: `/api/audit/events?${new URLSearchParams(query).toString()}`,
    most: MOST_MS,
  });
  const texts = Object.entries(TEXTS);
  return [
    list('newest', {}),
    list('far page', { before: cursor }),
    list('time', { to: time }),
    list('actor by id', { actor: PERSON }),
    list('action', { action: 'device.rename' }),
    list('action of few', { action: 'account.delete' }),
    list('group of actions', { action: 'device.*' }),
    list('target', { target: deviceId() }),
    list('refused', { outcome: 'refused' }),
    list('refused, action', { outcome: 'refused', action: 'session.start' }),
    list('actor, group of actions', { actor: PERSON, action: 'device.*' }),
    ...texts.map(([name, search]) => list(`text ${name}`, { search })),
    list('far page, text in none', { search: TEXTS['in none'], before: cursor }),
    list('text of a device, action', { search: TEXTS['of a device'], action: 'device.rename' }),
    ...[['large account', LARGE] as const, ['small account', SMALL] as const].flatMap(([of, account]) => [
      list(of, { account }),
      list(`${of}, far page`, { account, before: cursor }),
      list(`${of}, refused`, { account, outcome: 'refused' }),
      list(`${of}, actions`, { account, action: 'device.*,account.delete' }),
      ...texts.map(([name, search]) => list(`${of}, text ${name}`, { account, search })),
    ]),
    list('small account, actor, action, time', { account: SMALL, actor: PERSON, action: 'session.start', to: time }),
    list('small account, target, text', { account: SMALL, target: deviceId(), search: 'pump' }),
  ];
}
