import type { TerminalRole } from '../../sockets/terminal/types.ts';

const LIST = new Intl.ListFormat('en');

/** The texts of terminals that several people share; a part of the one catalogue. */
export const sharing = {
  title: 'People in this terminal',
  you: 'you',
  owner: 'owner',
  role: (role: TerminalRole) => (role === 'writer' ? 'Types' : 'Watches'),
  windows: (count: number) => (count === 1 ? '' : `${count} windows`),
  actions: (email: string) => `Actions for ${email}`,
  letType: 'Let type',
  onlyWatch: 'Only watch',
  handOver: 'Hand over control',
  remove: 'Remove',
  takeControl: 'Take control',
  askForControl: 'Ask for control',
  asked: 'The owner was asked.',
  watching: (email: string) => `You watch the terminal of ${email}`,
  typing: (email: string) => `You type in the terminal of ${email}`,
  observes: 'Observes',
  observed: (who: string[]) =>
    `${LIST.format(who)} ${who.length === 1 ? 'observes' : 'observe'} this terminal without consent. The account lets its Owner and Admins do that.`,
  observing: (email: string) =>
    `You observe the terminal of ${email} without consent. Everybody in it sees that, and the audit trail has it.`,
  handedOver: 'You handed over control',
  copyLink: 'Copy link',
  copied: 'Link copied',
  linkHint:
    'People with the terminal permission on this device can ask to join. You let each of them in. Owner and Admins observe without asking if the account lets them.',
  mine: 'Use the size of this window',
  asks: (email: string, role: TerminalRole) => `${email} asks to ${role === 'writer' ? 'type' : 'join'}`,
  letWatch: 'Let watch',
  decline: 'Decline',
};
