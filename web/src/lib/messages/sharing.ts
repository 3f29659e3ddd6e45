import type { TerminalRole } from '../../sockets/terminal/types.ts';

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
  handedOver: 'You handed over control',
  copyLink: 'Copy link',
  copied: 'Link copied',
  linkHint: 'People with the terminal permission on this device can ask to join. You let each of them in.',
  mine: 'Use the size of this window',
  asks: (email: string, role: TerminalRole) => `${email} asks to ${role === 'writer' ? 'type' : 'join'}`,
  letWatch: 'Let watch',
  decline: 'Decline',
};
