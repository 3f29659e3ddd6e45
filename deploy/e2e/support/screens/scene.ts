import { linkOf, type Link } from '../matrix/invite.ts';
import { mark } from '../matrix/bodies.ts';
import type { MadeDevice } from '../matrix/place.ts';
import type { Estate, Group, MadeUser, Office } from '../office.ts';
import type { Warren } from '../warren.ts';
import { raiseAlerts } from './alerts.ts';
import { recordDesktop } from './recorded.desktop.ts';
import { recordSession } from './recorded.ts';
import { openStreams } from './streams.ts';

/** What stands on the screens: an account with people, groups, devices and an invitation. */
export interface Scene {
  estate: Estate;
  /** The name of the account's owner. */
  owner: string;
  owners: Group;
  group: Group;
  user: MadeUser;
  /** A device of the account. */
  device: { id: string; name: string };
  /** Id of a device of the account that is not connected. */
  away: string;
  /** Id of a device that is connected. */
  machine: string;
  /** Ids of a recorded terminal and a recorded desktop on the connected device. */
  recording: string;
  recordedDesktop: string;
  /** The host of a device's web service. */
  web: string;
  /** An open invitation. */
  link: Link;
  /** A guest link of that user to that device. */
  guest: { id: string; secret: string };
  /** Id of a bulk job, whose device was not connected. */
  job: string;
  /** Id of a view that the account shares. */
  view: string;
  /** E-mails of a person without an account, and of a disabled user. */
  stranger: string;
  disabled: string;
}

type Place = Pick<Scene, 'estate' | 'owner' | 'device' | 'away' | 'machine' | 'web'>;

/** Service accounts: name, description and role. */
const programs = [
  ['Backup job', 'Nightly copies of the configuration', 'Member'],
  ['CI runner', 'Tests of new firmware on the benches', 'Member'],
  ['Inventory sync', 'Labels from the asset register', 'Admin'],
] as const;

/** People, a group and an invitation, in an account that has an owner and devices. */
export async function furnish(office: Office, place: Place): Promise<Scene> {
  const { estate } = place;
  const group = await estate.makeGroup('Field crew', 'Member');
  const [user, left] = [await estate.user('Uma Reed', 'Field crew'), await estate.user('Lea Gone', 'Field crew')];
  await office.call('PATCH', `/api/users/${left.id}`, { status: 'Inactive' });
  const { email } = await estate.invite('iris', 'Field crew');
  await raiseAlerts(office, estate.id);
  const subject = { kind: 'group', id: group.id };
  const grant = {
    subject,
    permissions: ['terminal', 'web'],
    filter: 'name~pump or name~irrigation',
    note: 'Season 2027',
  };
  await office.call('POST', `/api/accounts/${estate.id}/grants`, grant);
  await office.call('POST', `/api/accounts/${estate.id}/scim_tokens`, { name: 'Entra ID', days: 365 });
  await proved(office, estate);
  await mapped(office, estate, group);
  await asked(office, { account: estate.id, device: place.device.id, by: user.email });
  for (const [name, description, role] of programs)
    await office.call('POST', `/api/accounts/${estate.id}/service_accounts`, { name, description, role });
  await openStreams(office, estate.id);
  return {
    ...place,
    group,
    user,
    disabled: left.email,
    owners: await estate.group('Account Owners'),
    link: await linkOf(await office.inviting(), email),
    guest: await invitedGuest(office, { device: place.device.id, by: user.email }),
    job: await rebooted(office, place),
    view: await saved(office, estate),
    recording: await recordSession(office, place.machine),
    recordedDesktop: await recordDesktop(office, place.machine),
    stranger: estate.address('stranger'),
  };
}

/** Gives the account a verified domain, and one that is claimed only. */
async function proved(office: Office, { id }: Estate) {
  const path = `/api/accounts/${id}/domains`;
  const domain = `orchard-${mark()}.example`;
  const { result } = await office.call<{ result: { id: string } }>('POST', path, { domain });
  await office.call('POST', `${path}/${result.id}/confirm`);
  await office.call('POST', path, { domain: 'vineyard.example' });
}

/** Gives the account rules for groups of its identity provider. */
async function mapped(office: Office, estate: Estate, crew: Group) {
  const developers = await estate.group('Developers');
  const rule = (value: string, { id: group }: Group) => ({ provider: 'default', value, group });
  const rules = [rule('field-crew', crew), rule('engineering', developers), rule('cn=Firmware,ou=Groups', developers)];
  await office.call('PUT', `/api/accounts/${estate.id}/group_rules`, { rules });
}

/** Has a person ask for access to a device. */
async function asked(office: Office, { account, device, by }: { account: string; device: string; by: string }) {
  const recent = { minutes: 15, terminals: false, manage: false, grants: false };
  const rules = {
    requests: true,
    guest_links: true,
    longest_minutes: 480,
    approver_group: null,
    second_approver: false,
  };
  const access = `/api/accounts/${account}/access`;
  await office.call('PUT', `${access}/rules`, { ...rules, recent_sign_in: recent });
  const request = { device, permissions: ['manage'], reason: 'Reboot it after the sensor was replaced', minutes: 60 };
  await office.hub.must(await office.cookie(by), 'POST', `${access}/requests`, request);
}

/** Has a person make a guest link to a device. */
async function invitedGuest(office: Office, { device, by }: { device: string; by: string }): Promise<Scene['guest']> {
  const wanted = { purpose: 'terminal', minutes: 480, pin: '4711', uses: 2 };
  const path = `/api/devices/${device}/guest-links`;
  type Made = { result: { id: string }; url: string };
  const { result, url } = await office.hub.must<Made>(await office.cookie(by), 'POST', path, wanted);
  return { id: result.id, secret: new URL(url).hash.slice(1) };
}

/** Starts a reboot of a device that is not connected. @returns the id of the job */
async function rebooted(office: Office, { away }: Place): Promise<string> {
  return (await office.call<{ id: string }>('POST', '/api/devices/bulk', { action: 'reboot', ids: [away] })).id;
}

/** Saves a view that the account shares. @returns its id */
async function saved(office: Office, { id: account }: Estate): Promise<string> {
  const data = { name: 'Never connected', filter: 'status=disconnected', scope: 'account', account };
  return (await office.call<{ result: { id: string } }>('POST', '/api/filters', data)).result.id;
}

/** A scene in a separate account, with devices that never connected and wait for an update; this machine stands for a connected one. */
export async function setScene(office: Office, warren: Warren): Promise<Scene> {
  const estate = await office.estate();
  const { name: owner } = await estate.owner('Odile Hart');
  const device = await estate.device('greenhouse-07');
  const web = await exposed(office, await estate.device('pump-house'));
  const { releases } = await office.call<{ releases: { version: string }[] }>('GET', '/api/updates/releases');
  const version = releases[0]?.version;
  await office.call('POST', '/api/updates/rollouts', { version, account: estate.id, share: 100 });
  return furnish(office, { estate, owner, device, away: device.id, machine: warren.facts.device.id, web });
}

/** Exposes a device's web service. @returns its host */
export async function exposed(office: Office, { id, serial }: MadeDevice, port = 1880): Promise<string> {
  const data = { id, serial, port };
  return (await office.call<{ result: { http_address: string } }>('PUT', '/tunnel/enable_http', data)).result
    .http_address;
}
