import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate, timestampNow } from '@bufbuild/protobuf/wkt';
import { guestActor } from '@warren/platform/audit/audit.actor';
import type { Audited } from '@warren/platform/audit/audit.event';
import { newEvent, type Event } from '@warren/platform/events/event';
import { DevicePermission, type ApiToken, type Guest, type WebTarget } from '@warren/proto/common/v1/common';
import { GuestLinkState, type GuestLinkSchema } from '@warren/proto/identity/v1/guests';
import { StoredSessionSchema, type StoredSession } from '@warren/proto/identity/v1/identity';
import { GUEST_LINK_LIMITS, type GuestPurpose } from '@warren/rules/guest-links';
import type { GuestEntity } from './guest.entity.ts';
import type { GuestLinkRow } from './guest.links.sql.ts';

const PERMISSIONS: Readonly<Record<GuestPurpose, DevicePermission>> = {
  terminal: DevicePermission.TERMINAL,
  desktop: DevicePermission.DESKTOP,
  web: DevicePermission.WEB,
};
/** What the token of a guest allows; its filter names the device, and the guest's permission narrows it further. */
const GUEST_ACTIONS = ['devices.open', 'devices.read'];

/** The permission that a purpose gives; none for one that a later version has stored. */
export function permissionOf(purpose: string): DevicePermission {
  return Object.hasOwn(PERMISSIONS, purpose) ? PERMISSIONS[purpose as GuestPurpose] : DevicePermission.UNSPECIFIED;
}

/** Whether this version knows what a link opens. */
export function isKnownPurpose(purpose: string): boolean {
  return permissionOf(purpose) !== DevicePermission.UNSPECIFIED;
}

type Web = Pick<GuestLinkRow, 'web_slug' | 'web_ip' | 'web_port'>;

/** The web service that a link opens; undefined for other purposes. */
function webOf({ web_slug: slug, web_ip: ip, web_port: port }: Web): Omit<WebTarget, '$typeName'> | undefined {
  return slug !== null && ip !== null && port !== null ? { slug, ip, port } : undefined;
}

/** `127.0.0.1:1880` for people; undefined for other purposes. */
export function shownWeb({ web_ip: ip, web_port: port }: Omit<Web, 'web_slug'>): string | undefined {
  if (ip === null || port === null) return undefined;
  return `${ip.includes(':') ? `[${ip}]` : ip}:${port}`;
}

/** The purpose that a permission stands for; undefined for one that no link gives. */
export function purposeOf(permission: DevicePermission): GuestPurpose | undefined {
  return (Object.keys(PERMISSIONS) as GuestPurpose[]).find((purpose) => PERMISSIONS[purpose] === permission);
}

export function stateOf(
  link: Pick<GuestLinkRow, 'ended_at' | 'ended_reason' | 'expired' | 'wrong_pins' | 'uses' | 'most_uses'>,
) {
  if (link.ended_at && link.ended_reason !== 'expired') return GuestLinkState.ENDED;
  if (link.ended_at || link.expired) return GuestLinkState.EXPIRED;
  if (link.wrong_pins >= GUEST_LINK_LIMITS.wrongPins) return GuestLinkState.BLOCKED;
  return link.uses >= link.most_uses ? GuestLinkState.USED_UP : GuestLinkState.OPEN;
}

/** Whether guests of a link keep their access. */
export function isInForce({ ended_at: ended, expired }: Pick<GuestLinkRow, 'ended_at' | 'expired'>): boolean {
  return ended === null && !expired;
}

/** @param live the ids of guests who have the device open */
export function linkMessage(
  link: GuestLinkRow,
  guests: readonly GuestEntity[] = [],
  live: ReadonlySet<string> = new Set(),
): MessageInitShape<typeof GuestLinkSchema> {
  const web = webOf(link);
  return {
    ...(web && { web }),
    id: link.id,
    deviceId: link.device_id,
    deviceName: link.device_name,
    accountId: link.account_id,
    makerId: link.maker_id,
    makerName: link.maker_name,
    makerEmail: link.maker_email,
    permission: permissionOf(link.purpose),
    pin: link.pin !== null,
    wrongPins: link.wrong_pins,
    uses: link.uses,
    mostUses: link.most_uses,
    created: timestampFromDate(link.created_at),
    expires: timestampFromDate(link.expires_at),
    ...(link.ended_at && { ended: timestampFromDate(link.ended_at) }),
    endedReason: link.ended_reason,
    state: stateOf(link),
    guests: guests
      .filter((guest) => guest.linkId === link.id)
      .map(({ id, name, address, joinedAt: joined }) => ({
        id,
        name,
        address,
        joined: timestampFromDate(joined),
        live: live.has(id),
      })),
  };
}

/** The event for consoles, and for tunnels, which ends what the ended guests have open. */
export function linkChanged(link: GuestLinkRow, actor = '', endedGuests: string[] = []): Event {
  const value = { linkId: link.id, deviceId: link.device_id, endedGuests };
  return newEvent({ accountId: link.account_id, actor, kind: { case: 'guestLinkChanged', value } });
}

/** What audit events about a link have in common. Their target is the device's link, for people of the device's account. */
export function aboutLink(
  link: GuestLinkRow,
): Pick<Audited, 'accountId' | 'target'> & { details: Record<string, unknown> } {
  const { id, device_name: name, account_id: accountId, device_id: device, purpose, maker_email: maker } = link;
  const service = shownWeb(link);
  const details = { device, purpose, ...(service !== undefined && { service }), maker };
  return { accountId, target: { kind: 'guest_link', id, name }, details };
}

export function actorOfGuest(link: GuestLinkRow, guest: Pick<Guest, 'id' | 'name'>): NonNullable<Audited['actor']> {
  const { maker_id: userId, maker_email: email, account_id: accountId } = link;
  return guestActor(guest, { userId, email, accountId });
}

/** The session of a guest as Redis holds it: one of the maker, narrowed to the link. */
export function entryOf(link: GuestLinkRow, { id, name }: Pick<GuestEntity, 'id' | 'name'>): StoredSession {
  const web = webOf(link);
  const about = { linkId: link.id, deviceId: link.device_id, permission: permissionOf(link.purpose) };
  const token: MessageInitShape<typeof StoredSessionSchema>['token'] = {
    token: tokenOf(link, { id, name }),
    userId: link.maker_id,
    accountId: link.account_id,
    guest: { id, name, ...about, ...(web && { web }) },
  };
  return create(StoredSessionSchema, {
    saml: { email: link.maker_email },
    created: timestampNow(),
    expires: timestampFromDate(link.expires_at),
    token,
  });
}

/** Whether an entry says what the link opens; one that a replica of another version has made may not. */
export function isEntryOf(session: StoredSession, link: GuestLinkRow): boolean {
  const { guest } = session.token ?? {};
  const web = webOf(link);
  if (guest?.permission !== permissionOf(link.purpose)) return false;
  return guest.web?.slug === web?.slug && guest.web?.ip === web?.ip && guest.web?.port === web?.port;
}

function tokenOf({ device_id: device }: GuestLinkRow, guest: Pick<Guest, 'id' | 'name'>): Omit<ApiToken, '$typeName'> {
  return { ...guest, permissions: GUEST_ACTIONS, filter: `id=${device}` };
}
