import { until } from '@warren/infra/until';
import { linkOf, type Link } from '../matrix/invite.ts';
import { mark } from '../matrix/bodies.ts';
import type { MadeDevice } from '../matrix/place.ts';
import type { Estate, Group, MadeUser, Office } from '../office.ts';
import { person } from '../people.ts';
import type { Warren } from '../warren.ts';
import { raiseAlerts } from './alerts.ts';
import { recordDesktop } from './recorded.desktop.ts';
import { recordSession } from './recorded.ts';
import { openStreams } from './streams.ts';

export type Purpose = 'terminal' | 'desktop' | 'web';

interface GuestAccess {
  id: string;
  secret: string;
}

/** What stands on the screens: an account with people, groups, devices and an invitation. */
export interface Scene {
  estate: Estate;
  /** The name of the account's owner. */
  owner: string;
  /** The e-mail of somebody who decides about its access requests. */
  approver: string;
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
  /** A web service: its host, its device and the port there. */
  web: string;
  served: { device: string; port: number };
  /** The database, for what no call leads to. */
  database: string;
  /** An open invitation. */
  link: Link;
  /** A guest link of that user to that device. */
  guest: GuestAccess;
  /** Guest links without a PIN: to the connected device, and to the web service. */
  inside: Record<Purpose, GuestAccess>;
  /** Id of an audit event: that of a grant. */
  event: string;
  /** Id of a bulk job, whose device was not connected. */
  job: string;
  /** Id of a view that the account shares. */
  view: string;
  /** E-mails of a person without an account, and of a disabled user. */
  stranger: string;
  disabled: string;
}

type Place = Pick<
  Scene,
  'estate' | 'owner' | 'approver' | 'device' | 'away' | 'machine' | 'web' | 'served' | 'database'
>;

/** Service accounts: name, description and role. */
const programs = [
  ['Backup job', 'Nightly copies of the configuration', 'Member'],
  ['CI runner', 'Tests of new firmware on the benches', 'Member'],
  ['Inventory sync', 'Labels from the asset register', 'Admin'],
] as const;

/** Rules with access requests and guest links. */
const RULES = {
  requests: true,
  guest_links: true,
  longest_minutes: 480,
  approver_group: null,
  second_approver: false,
  recent_sign_in: { minutes: 15, terminals: false, manage: false, grants: false },
};

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
  await employed(office, estate);
  await openStreams(office, estate.id);
  return {
    ...place,
    group,
    user,
    disabled: left.email,
    owners: await estate.group('Account Owners'),
    link: await linkOf(await office.inviting(), email),
    guest: await invitedGuest(office, { device: place.device.id, by: user.email, pin: '4711', uses: 2 }),
    inside: await openLinks(office, place, user.email),
    event: await granted(office, estate),
    job: await rebooted(office, place),
    view: await saved(office, estate),
    recording: await recordSession(office, place.machine),
    recordedDesktop: await recordDesktop(office, place.machine),
    stranger: estate.address('stranger'),
  };
}

/** Gives the account service accounts, and one of them an API token. */
async function employed(office: Office, { id: account }: Estate) {
  const path = `/api/accounts/${account}/service_accounts`;
  for (const [name, description, role] of programs) {
    const { result } = await office.call<{ result: { id: string } }>('POST', path, { name, description, role });
    if (name !== 'CI runner') continue;
    const token = { name: 'Nightly firmware tests', permissions: ['devices.read'], filter: 'name~bench', days: 90 };
    await office.call('POST', `${path}/${result.id}/tokens`, token);
  }
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
  const access = `/api/accounts/${account}/access`;
  await office.call('PUT', `${access}/rules`, RULES);
  const request = { device, permissions: ['manage'], reason: 'Reboot it after the sensor was replaced', minutes: 60 };
  await office.hub.must(await office.cookie(by), 'POST', `${access}/requests`, request);
}

interface Wanted {
  device: string;
  by: string;
  purpose?: Purpose;
  port?: number;
  pin?: string;
  uses?: number;
}

/** Has a person make a guest link to a device. */
async function invitedGuest(office: Office, wanted: Wanted): Promise<GuestAccess> {
  const { device, by, purpose = 'terminal', port = null, pin = null, uses = 20 } = wanted;
  const data = { purpose, port, minutes: 480, pin, uses };
  const path = `/api/devices/${device}/guest-links`;
  type Made = { result: { id: string }; url: string };
  const { result, url } = await office.hub.must<Made>(await office.cookie(by), 'POST', path, data);
  return { id: result.id, secret: new URL(url).hash.slice(1) };
}

/** Has people make links that guests join by their name alone. @param by somebody of the account with the web service */
async function openLinks(office: Office, { machine, served }: Place, by: string): Promise<Scene['inside']> {
  const member = person('member');
  const { account } = (await office.call<{ result: { account: { id: string } } }>('GET', `/api/devices/${machine}`))
    .result;
  await office.call('PUT', `/api/accounts/${account.id}/access/rules`, RULES);
  const link = (purpose: Purpose) => invitedGuest(office, { device: machine, by: member.email, purpose });
  return {
    terminal: await link('terminal'),
    desktop: await link('desktop'),
    web: await invitedGuest(office, { device: served.device, by, purpose: 'web', port: served.port }),
  };
}

/** Finds the event of the account's first grant. @returns its id */
async function granted(office: Office, { id }: Estate): Promise<string> {
  const path = `/api/audit/events?account=${id}&action=grant.create&limit=100`;
  let event: string | undefined;
  await until(async () => {
    event = (await office.call<{ events: { id: string }[] }>('GET', path)).events.at(-1)?.id;
    return event !== undefined;
  }, 20_000);
  return event ?? '';
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
  const { name: owner, email: approver } = await estate.owner('Odile Hart');
  const device = await estate.device('greenhouse-07');
  const server = await estate.device('pump-house');
  const served = { device: server.id, port: 1880 };
  const web = await exposed(office, server, served.port);
  const { releases } = await office.call<{ releases: { version: string }[] }>('GET', '/api/updates/releases');
  const version = releases[0]?.version;
  await office.call('POST', '/api/updates/rollouts', { version, account: estate.id, share: 100 });
  const { device: machine, database } = warren.facts;
  return furnish(office, {
    estate,
    owner,
    approver,
    device,
    away: device.id,
    machine: machine.id,
    web,
    served,
    database,
  });
}

/** Exposes a device's web service. @returns its host */
export async function exposed(office: Office, { id, serial }: MadeDevice, port: number): Promise<string> {
  const data = { id, serial, port };
  return (await office.call<{ result: { http_address: string } }>('PUT', '/tunnel/enable_http', data)).result
    .http_address;
}
