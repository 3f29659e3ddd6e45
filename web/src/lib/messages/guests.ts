import { GUEST_LINK_LIMITS } from '@warren/rules/guest-links';
import { number } from '../numbers.ts';

const plural = (count: number, one: string) => `${number(count)} ${one}${count === 1 ? '' : 's'}`;

/** Texts of guest links, for their makers. */
export const guestLinks = {
  title: 'Guest links',
  action: 'Guest link',
  dialog: 'New guest link',
  lead: (device: string) =>
    `Anyone with the link can use ${device} as a guest, without a user of Warren. The device page shows who has come.`,
  failed: 'The guest links could not be loaded.',
  purpose: 'Opens',
  purposes: { terminal: 'Terminal', desktop: 'Desktop', web: 'Web service' },
  serviceAt: (address: string) => `Opens the web service at ${address} on the device.`,
  port: (port: number) => `port ${port}`,
  minutes: 'Expires in',
  pin: 'PIN',
  pinHelp: 'Optional. Send it to your guest separately from the link.',
  pinProblem: `Enter ${GUEST_LINK_LIMITS.pinShortest} to ${GUEST_LINK_LIMITS.pinLongest} digits, or nothing.`,
  uses: 'Guests',
  usesHelp: 'How many people the link lets in.',
  usesProblem: `Enter a whole number from 1 to ${GUEST_LINK_LIMITS.uses}.`,
  create: 'Create link',
  createFailed: 'The guest link could not be created.',
  created: 'Copy the link now. It is not shown again.',
  copy: 'Copy guest link',
  done: 'Done',
  end: 'End',
  endOf: (name: string) => `End the guest link ${name}`,
  endFailed: 'The guest link could not be ended.',
  ended: 'guest link successfully ended',
  endedDetail: 'Its guests no longer have access.',
  states: {
    open: 'Open',
    used_up: 'Used up',
    blocked: 'Blocked after wrong PINs',
    expired: 'Expired',
    ended: 'Ended',
  },
  about: (purpose: string, maker: string) => `${purpose}, by ${maker}`,
  uses_of: (uses: number, most: number) => `${number(uses)} of ${plural(most, 'guest')}`,
  until: (time: string) => `until ${time}`,
  withPin: 'with PIN',
  wrongPins: (count: number) => plural(count, 'wrong PIN'),
  noGuests: 'No guests yet.',
  live: 'Here now',
  joined: (time: string) => `came ${time}`,
  past: (count: number) => `${plural(count, 'past link')}`,
  arrived: 'guest arrived',
  arrivedDetail: (guest: string, device: string) => `${guest} has access to ${device} by a guest link.`,
};

/** Texts of the page of a guest. */
export const guest = {
  title: 'Guest access',
  heading: (device: string) => `Guest access to ${device}`,
  by: {
    terminal: (host: string) => `${host} invites you to a terminal on this device.`,
    desktop: (host: string) => `${host} invites you to the desktop of this device.`,
    web: (host: string) => `${host} invites you to a web service of this device.`,
  },
  until: (time: string) => `The access ends ${time}.`,
  seen: 'Your visit is recorded under the name that you enter, and your host can end it.',
  name: 'Your name',
  nameMissing: 'Enter your name.',
  pin: 'PIN',
  pinHelp: 'Your host tells it to you.',
  pinProblem: `Enter the PIN, ${GUEST_LINK_LIMITS.pinShortest} to ${GUEST_LINK_LIMITS.pinLongest} digits.`,
  join: { terminal: 'Open terminal', desktop: 'Open desktop', web: 'Open web service' },
  failed: 'The guest link could not be opened.',
  busy: 'One moment, please',
  busyText: (seconds: number) =>
    `Too many requests came from your network. This page tries again in ${plural(seconds, 'second')}.`,
  lead: (host: string, time: string) => `Guest of ${host} until ${time}`,
  incomplete: 'The link is not complete',
  incompleteText: 'Ask your host for the whole link, with all that follows #.',
  unknown: 'This guest link is not valid',
  unknownText: 'It may be incomplete, or it was deleted. Ask your host for a new one.',
  services: {
    off: ['The web service is off', 'Your host can switch it on. After that, open this link again.'],
    gone: [
      'The web service no longer exists',
      'The device has no web service at the port of this link. Ask your host for a new link.',
    ],
  },
  closed: {
    used_up: ['This guest link is used up', 'It has let in as many guests as it may. Ask your host for a new one.'],
    blocked: ['This guest link is blocked', 'Too many wrong PINs were entered. Ask your host for a new one.'],
    expired: ['This guest link has expired', 'Ask your host for a new one.'],
    ended: ['Your guest access has ended', 'Your host or Warren has ended it. Ask your host for a new link.'],
  },
} as const;
