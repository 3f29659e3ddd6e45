import { Inject, Injectable } from '@nestjs/common';
import { auditEvent, type AuditCaller } from '@warren/platform/audit/audit.event';
import { Fault, invalidInput } from '@warren/platform/errors/fault';
import { Outbox, type EventfulTransactions } from '@warren/platform/events/outbox';
import { may, requireMay } from '@warren/platform/policy/policy';
import { requireUser, serviceCaller, type Caller } from '@warren/platform/rpc/caller';
import type { CreateGuestLinkRequest } from '@warren/proto/identity/v1/guests';
import { GUEST_LINK_LIMITS, guestMinutes, guestPin, guestUses, type GuestPurpose } from '@warren/rules/guest-links';
import { DataSource, In, type EntityManager } from 'typeorm';
import { v7 as uuidv7, validate as isUuid } from 'uuid';
import { z } from 'zod';
import { hashOf, newSecret } from '../secrets/secret.ts';
import { SessionStore } from '../sessions/session.store.ts';
import { guestLinks } from '../telemetry/metrics.ts';
import { GuestPresence } from '../sessions/guest.presence.ts';
import { GuestEntity } from './guest.entity.ts';
import { aboutLink, linkChanged, purposeOf, shownWeb } from './guest.links.ts';
import {
  countLinks,
  deleteOldLinks,
  endExpiredLinks,
  endLinks,
  findLink,
  hasExpiredLink,
  insertLink,
  listLinks,
  type Ended,
  type GuestLinkRow,
} from './guest.links.sql.ts';
import { hashOfPin } from './pin.ts';

/** What this service does by itself. */
const IDENTITY = serviceCaller('identity');
const BATCH = 100;

type NewLink = Pick<
  CreateGuestLinkRequest,
  'deviceId' | 'deviceName' | 'accountId' | 'permission' | 'minutes' | 'pin' | 'uses' | 'web'
>;

const webTarget = z.object({
  slug: z.string().min(1),
  ip: z.union([z.ipv4(), z.ipv6()]),
  port: z.int().min(1).max(65_535),
});
const schema = z.object({ minutes: guestMinutes, uses: guestUses, pin: z.literal('').or(guestPin) });

/** A link with its guests, and the ids of those who have the device open. */
export interface ListedLink {
  link: GuestLinkRow;
  guests: GuestEntity[];
  live: ReadonlySet<string>;
}

/** What people do with guest links to devices that they may open. */
@Injectable()
export class GuestLinksService {
  constructor(
    private readonly source: DataSource,
    private readonly store: SessionStore,
    private readonly presence: GuestPresence,
    @Inject(Outbox) private readonly outbox: EventfulTransactions,
  ) {}

  /**
   * Creates a link of the caller, who may open the device: the gateway has asked.
   * @throws Fault `permission_denied` for a caller that acts by a token, and for a device of another account; `invalid_argument`;
   *   `failed_precondition` when there are too many
   */
  async create(caller: Caller, request: NewLink): Promise<{ link: GuestLinkRow; secret: string }> {
    const maker = requireUser(caller);
    if (maker.token || maker.guest || maker.serviceAccount)
      throw new Fault('permission_denied', 'only a person makes guest links; sign in to the console.');
    const { deviceId: device_id, accountId: account_id, deviceName: device_name } = request;
    if (account_id !== maker.accountId)
      throw new Fault('permission_denied', 'guest links are for devices of your account.');
    const { minutes, uses, pin } = checked(request);
    const purpose = purposeOf(request.permission);
    if (!purpose) throw invalidInput({ field: 'purpose', message: 'expected terminal, desktop or web.' });
    const web = checkedWeb(purpose, request.web);
    const secret = newSecret();
    const of = { maker_id: maker.userId, maker_email: maker.email.toLowerCase(), maker_name: maker.name };
    const hashed = { hash: hashOf(secret), pin: pin === '' ? null : await hashOfPin(pin) };
    const row = {
      id: uuidv7(),
      account_id,
      device_id,
      device_name,
      ...of,
      purpose,
      ...web,
      ...hashed,
      most_uses: uses,
      minutes,
    };
    const link = await this.outbox.transaction(async (manager, emit) => {
      requireRoom(await countLinks(manager, row));
      const created = await insertLink(manager, row);
      const service = shownWeb(web);
      const opens = { purpose, ...(service !== undefined && { service }) };
      const after = { ...opens, minutes, uses, pin: pin === '' ? 'No' : 'Yes', device: device_id };
      emit(auditEvent(caller, { ...aboutLink(created), action: 'guest_link.create', after }));
      emit(linkChanged(created, maker.userId));
      return created;
    });
    guestLinks.inc({ step: 'created' });
    return { link, secret };
  }

  /** Lists the links to a device, newest first: all of them for readers of the account's grants, else the caller's own. */
  async list(caller: Caller, { deviceId, accountId }: { deviceId: string; accountId: string }): Promise<ListedLink[]> {
    const user = requireUser(caller);
    const makerId = may(user, 'grants.read', accountId) ? undefined : user.userId;
    const links = await listLinks(this.source, { deviceId, accountId, makerId });
    const guests = await guestsOf(this.source.manager, links);
    const open = guests.filter(({ linkId: of }) => links.some(({ id, ended_at: ended }) => id === of && !ended));
    const live = await this.presence.live(open.map(({ id }) => id));
    return links.map((link) => ({ link, guests, live }));
  }

  /**
   * Ends a link of the caller, or one of an account whose grants the caller manages.
   * @throws Fault `not_found`, `permission_denied`; `unavailable` if Redis does not answer: then the link is as it was
   */
  async end(caller: Caller, { id, deviceId }: { id: string; deviceId: string }): Promise<void> {
    const { userId, accountId } = requireUser(caller);
    const link = isUuid(id) ? await findLink(this.source, id) : undefined;
    if (link?.device_id !== deviceId) throw new Fault('not_found', `guest link ${id.slice(0, 64)}.`);
    const isOwn = link.maker_id === userId && link.account_id === accountId;
    if (!isOwn) requireMay(caller, 'grants.manage', link.account_id, `guest link ${id}`);
    await this.endAll({ id }, { caller, reason: 'ended' });
  }

  /**
   * Ends links with what their guests have open. The entries of the guests end before the transaction commits, as those of API tokens: a
   * verification in between waits for the commit, and finds the link ended.
   * @returns how many there were
   */
  async endAll(of: Ended, { caller = IDENTITY, reason }: { caller?: AuditCaller; reason: string }): Promise<number> {
    return this.outbox.transaction(async (manager, emit) => {
      const links = await endLinks(manager, of, reason);
      const guests = await guestsOf(manager, links);
      const actor = caller.kind.case === 'user' ? caller.kind.value.userId : '';
      for (const link of links) {
        const theirs = guests.filter((guest) => guest.linkId === link.id).map(({ id }) => id);
        emit(auditEvent(caller, { ...aboutLink(link), action: 'guest_link.end', reason }));
        emit(linkChanged(link, actor, theirs));
      }
      await this.store.endTokens(guests.map(({ hash }) => hash));
      await this.presence.forget(guests.map(({ id }) => id));
      if (links.length > 0) guestLinks.inc({ step: 'ended' }, links.length);
      return links.length;
    });
  }

  /** Ends links because of what has become of their maker, account or device. */
  async endOf(of: Ended, reason: string): Promise<void> {
    if (Object.values(of).every((id) => isUuid(id))) await this.endAll(of, { reason });
  }

  /** Ends links whose time has come, and deletes old ones. Any number of replicas may do so at once. */
  async sweep(): Promise<void> {
    await deleteOldLinks(this.source, BATCH);
    if (!(await hasExpiredLink(this.source))) return;
    await this.outbox.transaction(async (manager, emit) => {
      const links = await endExpiredLinks(manager, BATCH);
      const guests = await guestsOf(manager, links);
      for (const link of links) {
        const theirs = guests.filter((guest) => guest.linkId === link.id).map(({ id }) => id);
        emit(auditEvent(IDENTITY, { ...aboutLink(link), action: 'guest_link.end', reason: 'expired' }));
        emit(linkChanged(link, '', theirs));
      }
      await this.store.endTokens(guests.map(({ hash }) => hash));
      if (links.length > 0) guestLinks.inc({ step: 'ended' }, links.length);
    });
  }
}

/** Reads the guests of links, newest first. */
async function guestsOf(manager: EntityManager, links: readonly GuestLinkRow[]): Promise<GuestEntity[]> {
  if (links.length === 0) return [];
  const where = { linkId: In(links.map(({ id }) => id)) };
  return manager.find(GuestEntity, { where, order: { joinedAt: 'DESC', id: 'ASC' } });
}

function checked(request: NewLink): z.output<typeof schema> {
  const parsed = schema.safeParse(request);
  if (parsed.success) return parsed.data;
  const [first, ...others] = parsed.error.issues.map(({ path, message }) => ({ field: path.join('.'), message }));
  throw invalidInput(first ?? { field: 'guest_link', message: 'it does not fit.' }, ...others);
}

/** The columns of the web service; it belongs to the purpose `web`, and to no other. */
function checkedWeb(
  purpose: GuestPurpose,
  web: NewLink['web'],
): Pick<GuestLinkRow, 'web_slug' | 'web_ip' | 'web_port'> {
  const problem = (message: string) => invalidInput({ field: 'port', message });
  if (purpose !== 'web') {
    if (web) throw problem(`expected none: a link to the ${purpose} opens no web service.`);
    return { web_slug: null, web_ip: null, web_port: null };
  }
  const found = webTarget.safeParse(web);
  if (!found.success) throw problem('expected the port of a web service of the device.');
  const { slug, ip, port } = found.data;
  return { web_slug: slug, web_ip: ip, web_port: port };
}

function requireRoom({ device, account }: { device: number; account: number }): void {
  const { perDevice, perAccount } = GUEST_LINK_LIMITS;
  if (device >= perDevice)
    throw new Fault('failed_precondition', `the device has ${perDevice} guest links; end one that is no longer used.`);
  if (account >= perAccount)
    throw new Fault(
      'failed_precondition',
      `the account has ${perAccount} guest links; end those that are no longer used.`,
    );
}
