import { Fault } from '@warren/platform/errors/fault';
import { permissionNames } from '@warren/platform/policy/permission.names';
import type { Device } from '@warren/proto/devices/v1/devices';
import { GuestLinkState, type GuestLink } from '@warren/proto/identity/v1/guests';
import {
  GUEST_LINK_LIMITS,
  GUEST_PURPOSES,
  guestMinutes,
  guestName,
  guestPin,
  guestUses,
  type GuestPurpose,
} from '@warren/rules/guest-links';
import { z } from 'zod';
import { webPermissions } from '../devices/device.mapper.ts';
import { webPermissionsSchema } from '../devices/device.schemas.ts';
import { done, doneSchema } from '../http/done.ts';
import { idSchema, isoTime, timeSchema } from '../http/schemas.ts';
import { WEB_STATES, webStateOf, type Served } from './guest.web.ts';
import { FLEET } from '../http/example.fleet.ts';

const STATES = ['open', 'used_up', 'blocked', 'expired', 'ended'] as const;
const STATE_NAMES: Readonly<Record<GuestLinkState, (typeof STATES)[number]>> = {
  [GuestLinkState.UNSPECIFIED]: 'ended',
  [GuestLinkState.OPEN]: 'open',
  [GuestLinkState.USED_UP]: 'used_up',
  [GuestLinkState.BLOCKED]: 'blocked',
  [GuestLinkState.EXPIRED]: 'expired',
  [GuestLinkState.ENDED]: 'ended',
};

const { wrongPins, longest, uses } = GUEST_LINK_LIMITS;
const ID = '01997b5c-2f4e-7d3a-9c51-0a2b3c4d5e6f';
const TIME = '2026-01-31T08:15:30.000Z';
const purposeSchema = z.enum(GUEST_PURPOSES).describe('What the link opens.');
const portSchema = z.int('expected a port').min(1, 'expected a port').max(65_535, 'expected a port').nullable();
const stateSchema = z
  .enum(STATES)
  .describe('`used_up` and `blocked`: it lets nobody else in, and its guests stay. `blocked`: after wrong PINs.');
const secretSchema = z
  .string()
  .regex(/^[\w-]{43}$/, 'expected the part of the link after #')
  .describe('The part of the link after #.');

/** A link to a device, for its makers. */
const guestLinkSchema = z
  .object({
    id: idSchema,
    purpose: purposeSchema,
    port: portSchema.describe('The port of the web service that it opens, on the device; null for other purposes.'),
    maker: z.object({ id: idSchema, name: z.string(), email: z.string() }),
    state: stateSchema,
    pin: z.boolean().describe('It has a PIN.'),
    wrong_pins: z.int().describe(`Wrong PINs so far; ${wrongPins} block it.`),
    uses: z.int().describe('Guests whom it has let in.'),
    most_uses: z.int(),
    created_at: timeSchema,
    expires_at: timeSchema,
    ended_at: timeSchema.nullable(),
    ended_reason: z.string(),
    guests: z
      .array(
        z.object({
          id: idSchema,
          name: z.string().describe('As the guest typed it.'),
          joined_at: timeSchema,
          address: z.string().describe('IP address.'),
          live: z.boolean().describe('Has the device open.'),
        }),
      )
      .describe('Newest first.'),
  })
  .meta({
    id: 'GuestLink',
    examples: [
      {
        id: ID,
        purpose: 'terminal',
        port: null,
        maker: FLEET.member,
        state: 'open',
        pin: true,
        wrong_pins: 0,
        uses: 1,
        most_uses: 2,
        created_at: TIME,
        expires_at: '2026-01-31T09:15:30.000Z',
        ended_at: null,
        ended_reason: '',
        guests: [{ id: ID, name: 'Grace of Pumps Ltd', joined_at: TIME, address: '203.0.113.7', live: true }],
      },
    ],
  });

export const guestLinkListSchema = z
  .object({ links: z.array(guestLinkSchema) })
  .meta({ id: 'GuestLinkList', description: 'Newest first, also those that have ended.' });

export const guestLinkCreatedSchema = doneSchema
  .extend({
    result: guestLinkSchema,
    url: z
      .string()
      .describe('The whole link. It is not shown again.')
      .meta({ examples: [`https://hub.example.com/guest/${ID}#…`] }),
  })
  .meta({ id: 'GuestLinkCreated' });

export const createGuestLinkBody = z
  .strictObject({
    purpose: purposeSchema,
    port: portSchema
      .default(null)
      .describe('With the purpose `web`: the port of a web service that the device has. Null for other purposes.'),
    minutes: guestMinutes.default(GUEST_LINK_LIMITS.default).describe(`Minutes until it expires, at most ${longest}.`),
    pin: guestPin.nullable().default(null).describe('What guests type besides; null: without a PIN.'),
    uses: guestUses.default(1).describe(`How many guests it lets in, at most ${uses}.`),
  })
  .superRefine(({ purpose, port }, context) => {
    if ((purpose === 'web') === (port !== null)) return;
    const message =
      purpose === 'web'
        ? 'expected the port of a web service of the device'
        : `expected null: a link to the ${purpose} opens no web service`;
    context.addIssue({ code: 'custom', path: ['port'], message, input: port });
  })
  .meta({
    id: 'CreateGuestLink',
    examples: [
      { purpose: 'terminal', minutes: 60, pin: '4711', uses: 1 },
      { purpose: 'web', port: 1880, minutes: 60, pin: null, uses: 1 },
    ],
  });
export type CreateGuestLinkBody = z.output<typeof createGuestLinkBody>;

export const lookUpGuestLinkBody = z
  .strictObject({ secret: secretSchema })
  .meta({ id: 'LookUpGuestLink', examples: [{ secret: 'Hq4w3jzQ0mYVt5fG8rS1kLx2uN7aPcE9dToIbWvRyZA' }] });
export type LookUpGuestLinkBody = z.output<typeof lookUpGuestLinkBody>;

export const redeemGuestLinkBody = z
  .strictObject({
    secret: secretSchema,
    name: guestName.describe('What the guest calls themselves.'),
    pin: guestPin.or(z.literal('')).default('').describe('Empty for a link without a PIN.'),
  })
  .meta({
    id: 'RedeemGuestLink',
    examples: [{ secret: 'Hq4w3jzQ0mYVt5fG8rS1kLx2uN7aPcE9dToIbWvRyZA', name: 'Grace of Pumps Ltd', pin: '' }],
  });
export type RedeemGuestLinkBody = z.output<typeof redeemGuestLinkBody>;

const shown = {
  id: idSchema,
  purpose: purposeSchema,
  host: z.string().describe('Who made the link.'),
  device: z.string().describe('Name of the device.'),
  expires_at: timeSchema,
  service: z
    .enum(WEB_STATES)
    .nullable()
    .describe(
      'With the purpose `web`: whether the web service is on; `gone` if the device has it no more. Null for other purposes.',
    ),
};

const shownExample = {
  id: FLEET.id,
  purpose: 'terminal' as const,
  host: FLEET.member.name,
  device: FLEET.device.name,
  expires_at: FLEET.later,
  service: null,
};

/** A link for the holder of its secret. */
export const guestLinkShownSchema = z
  .object({ ...shown, state: stateSchema, pin: z.boolean().describe('It needs a PIN.') })
  .meta({
    id: 'GuestLinkShown',
    examples: [
      {
        ...shownExample,
        state: 'open',
        pin: false,
      },
    ],
  });

/** The access of a guest. */
export const guestSessionSchema = z
  .object({
    ...shown,
    device_id: idSchema,
    guest: z.string(),
    online: z.boolean().describe('The device is connected.'),
    web: z
      .object({ address: z.string().describe('Its host name.'), permissions: webPermissionsSchema })
      .nullable()
      .describe('The web service of the purpose `web`; null for other purposes.'),
  })
  .meta({
    id: 'GuestSession',
    examples: [
      {
        ...shownExample,
        device_id: FLEET.device.id,
        guest: 'Grace of Pumps Ltd',
        online: true,
        web: null,
      },
    ],
  });

export const guestSocketTokenSchema = z
  .object({
    token: z.string().describe('Works once, within 60 seconds, for this guest; empty while the device is offline.'),
    user_id: idSchema.describe('The `UserID` of the socket.'),
    device_sid: z.string().describe("Id of the agent's link; empty while the device is offline."),
  })
  .meta({
    id: 'GuestSocketToken',
    examples: [
      { token: 'Hq4w3jzQ0mYVt5fG8rS1kLx2uN7aPcE9dToIbWvRyZA', user_id: FLEET.member.id, device_sid: 'r1/7/b2' },
    ],
  });

/** The purpose of a link; undefined for one of a later version, which this one opens nothing for. */
function knownPurpose({ permission }: Pick<GuestLink, 'permission'>): GuestPurpose | undefined {
  const [name] = permissionNames([permission]);
  return GUEST_PURPOSES.find((purpose) => purpose === name);
}

/** Whether this version knows what a link opens. */
export function isKnown(link: Pick<GuestLink, 'permission'>): boolean {
  return knownPurpose(link) !== undefined;
}

/** The purpose of a link. @throws Fault `unavailable` for one of a later version: another replica may know it */
export function purposeName(link: Pick<GuestLink, 'permission'>): GuestPurpose {
  const purpose = knownPurpose(link);
  if (purpose === undefined)
    throw new Fault('unavailable', 'this version of the hub does not know what the guest link opens.');
  return purpose;
}

export function guestLinkJson(link: GuestLink): z.output<typeof guestLinkSchema> {
  return {
    id: link.id,
    purpose: purposeName(link),
    port: link.web?.port ?? null,
    maker: { id: link.makerId, name: link.makerName, email: link.makerEmail },
    state: STATE_NAMES[link.state],
    pin: link.pin,
    wrong_pins: link.wrongPins,
    uses: link.uses,
    most_uses: link.mostUses,
    created_at: isoTime(link.created),
    expires_at: isoTime(link.expires),
    ended_at: link.ended ? isoTime(link.ended) : null,
    ended_reason: link.endedReason,
    guests: link.guests.map(({ id, name, address, live, joined }) => ({
      id,
      name,
      joined_at: isoTime(joined),
      address,
      live,
    })),
  };
}

/** @param served the web service that the device has; undefined for a device that is not there */
function shownOf(link: GuestLink, served: Served | undefined) {
  const { id, makerName, makerEmail, deviceName: device, expires, web } = link;
  const service = web ? webStateOf(web, served) : null;
  const opens = { purpose: purposeName(link), service };
  return { id, ...opens, host: makerName || makerEmail, device, expires_at: isoTime(expires) };
}

/** @param served as the device of the link is now */
export function guestLinkShown(link: GuestLink, served?: Served): z.output<typeof guestLinkShownSchema> {
  return { ...shownOf(link, served), state: STATE_NAMES[link.state], pin: link.pin };
}

export function guestSessionJson(
  link: GuestLink,
  { guest, device, served }: { guest: string; device: Device; served: Served },
): z.output<typeof guestSessionSchema> {
  const { httpAddress: address, httpPermissions, connected: online } = device;
  const web = link.web ? { address, permissions: webPermissions(httpPermissions) } : null;
  return { ...shownOf(link, served), device_id: link.deviceId, guest, online, web };
}

export function guestLinkCreated(link: GuestLink, url: string) {
  return { ...done('guest link successfully created'), result: guestLinkJson(link), url };
}
