import { linkOf, type Link } from '../matrix/invite.ts';
import type { Estate, Group, MadeUser, Office } from '../office.ts';
import type { Warren } from '../warren.ts';

/** What stands on the screens: an account with people, groups, devices and an invitation, and this machine. */
export interface Scene {
  estate: Estate;
  owners: Group;
  group: Group;
  user: MadeUser;
  /** A device of the estate, which never connected. */
  device: { id: string; name: string };
  /** This machine. */
  machine: string;
  /** An invitation that nobody has answered. */
  link: Link;
  /** E-mails of somebody whom no account knows, and of a user who is disabled. */
  stranger: string;
  disabled: string;
}

/** Makes a scene through the API. */
export async function setScene(office: Office, warren: Warren): Promise<Scene> {
  const estate = await office.estate('Orchard');
  await estate.owner('Odile Hart');
  const group = await estate.makeGroup('Field crew', 'Member');
  const [user, left] = [await estate.user('Uma Reed', 'Field crew'), await estate.user('Lea Gone', 'Field crew')];
  await office.call('PATCH', `/api/users/${left.id}`, { status: 'Inactive' });
  const [device] = [await estate.device('greenhouse-07'), await estate.device('pump-house')];
  const { email } = await estate.invite('iris', 'Field crew');
  return {
    ...{ estate, group, user, device, machine: warren.facts.device.id, disabled: left.email },
    owners: await estate.group('Account Owners'),
    link: await linkOf(await office.inviting(), email),
    stranger: estate.address('stranger'),
  };
}
