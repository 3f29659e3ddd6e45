import { recordings as text } from '../../lib/messages/recordings.ts';

/** The address that recordings have in place of a guest's. The end of the id tells guests apart; its start is a time. */
const GUEST = /^guest-.*(\w{6})@guest\.invalid$/;

/** The person of a recorded session in words. The hub does not keep the name of a guest with a recording. */
export function personOf(email: string): string {
  const [, id] = GUEST.exec(email) ?? [];
  return id ? text.guest(id) : email;
}
