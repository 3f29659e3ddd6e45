import { number } from '../numbers.ts';

/** The texts of an account's limits; a part of the one catalogue. */
export const limits = {
  title: 'Limits',
  heading: (account: string) => `Limits of ${account}`,
  lead: 'What this account may have, and what it has. When a limit is reached, what is there stays and what would be added is refused.',
  failed: 'The limits could not be loaded.',
  none: 'The operator’s account has no limits.',
  ask: 'The operator of this hub can raise a limit.',
  used: (used: number, limit: number, unit = '') => `${number(used)} of ${number(limit)} ${unit}`.trimEnd(),
  usedUnlimited: (used: number, unit = '') => `${number(used)} ${unit}`.trimEnd(),
  unknown: 'Not known now',
  unlimited: 'Unlimited',
  nearlyFull: 'Nearly full',
  full: 'Full',
  byDefault: 'Default',
  own: (standard: string) => `Set for this account · default ${standard}`,
  edit: (label: string) => `Change the limit of ${label}`,
  editShort: 'Change',
  kind: (label: string) => `Limit of ${label}`,
  useDefault: (standard: string) => `Default (${standard})`,
  useNumber: 'Own limit',
  useUnlimited: 'Unlimited',
  amount: 'Limit',
  wrong: (min: number, max: number) => `Enter a whole number from ${number(min)} to ${number(max)}.`,
  below: (used: number) =>
    `The account has ${number(used)} now. They stay, and nothing is added until there are fewer than the limit.`,
  usedUp:
    'The account has used more than that this month. What is open stays open, and nothing new opens until the next month.',
  save: 'Save limit',
  saved: 'limit successfully changed',
  savedDetail: 'It holds from now on.',
  saveFailed: 'The limit could not be changed.',
  room: (left: number) =>
    left === 0
      ? 'This account has as many devices as it may. Only a device that was set up again is let in, to replace its old entry.'
      : `This account may have ${number(left)} more ${left === 1 ? 'device' : 'devices'}; further ones are refused.`,
  look: 'See limits',
};
