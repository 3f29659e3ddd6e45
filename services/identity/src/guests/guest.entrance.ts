import { Inject, Injectable, Logger } from '@nestjs/common';
import { auditEvent } from '@warren/platform/audit/audit.event';
import { plainText } from '@warren/platform/audit/plain';
import { Fault, invalidInput } from '@warren/platform/errors/fault';
import type { Event } from '@warren/platform/events/event';
import { Outbox, type EventfulTransactions } from '@warren/platform/events/outbox';
import type { Caller } from '@warren/platform/rpc/caller';
import { GuestLinkState, type RedeemGuestLinkRequest } from '@warren/proto/identity/v1/guests';
import { GUEST_LINK_LIMITS, guestName } from '@warren/rules/guest-links';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuidv7, validate as isUuid } from 'uuid';
import { hashOf, newSecret } from '../secrets/secret.ts';
import { SessionStore, type LiveSession } from '../sessions/session.store.ts';
import { GuestPresence } from '../sessions/guest.presence.ts';
import { SessionsService } from '../sessions/sessions.service.ts';
import { RefusalLimit } from '../sign-in/refusal.limit.ts';
import { guestLinks } from '../telemetry/metrics.ts';
import { GuestEntity } from './guest.entity.ts';
import {
  aboutLink,
  actorOfGuest,
  entryOf,
  isEntryOf,
  isInForce,
  isKnownPurpose,
  linkChanged,
  stateOf,
} from './guest.links.ts';
import { countUse, countWrongPin, findLink, type FoundLink, type GuestLinkRow } from './guest.links.sql.ts';
import { findGuest, type KnownGuest } from './guests.sql.ts';
import { isPin, isSameHash } from './pin.ts';

type Wanted = Pick<RedeemGuestLinkRequest, 'id' | 'secret' | 'name' | 'pin'>;

/** How long a new entry lasts until its link has been found in force again. */
const PROVISIONAL_MS = 2_000;

const CLOSED: Readonly<Partial<Record<GuestLinkState, string>>> = {
  [GuestLinkState.USED_UP]: 'the guest link has let in as many guests as it may.',
  [GuestLinkState.BLOCKED]: 'the guest link is blocked after too many wrong PINs.',
  [GuestLinkState.EXPIRED]: 'the guest link has expired.',
  [GuestLinkState.ENDED]: 'the guest link was ended.',
};

/** What became of an attempt to redeem a link. */
type Attempt = { fault: Fault } | { link: GuestLinkRow; guest: KnownGuest; secret: string };

/** Lets guests in by their links, and recognises them again. */
@Injectable()
export class GuestEntrance {
  private readonly log = new Logger(GuestEntrance.name);

  constructor(
    private readonly source: DataSource,
    private readonly store: SessionStore,
    private readonly sessions: SessionsService,
    private readonly presence: GuestPresence,
    private readonly refusals: RefusalLimit,
    @Inject(Outbox) private readonly outbox: EventfulTransactions,
  ) {}

  /** Reads a link for the holder of its secret. @throws Fault `not_found` */
  async lookUp({ id, secret }: Pick<Wanted, 'id' | 'secret'>): Promise<GuestLinkRow> {
    return found(isUuid(id) ? await findLink(this.source, id) : undefined, secret);
  }

  /**
   * Lets a guest in. The link stays locked while the PIN is compared, so that guesses are counted one by one.
   * @throws Fault `not_found`; `failed_precondition` if the link is not open; `invalid_argument` for a wrong PIN; `unavailable` for a link
   *   of a later version
   */
  async redeem(caller: Caller, wanted: Wanted): Promise<{ secret: string; expires: Date }> {
    const name = guestName.safeParse(wanted.name);
    if (!name.success)
      throw invalidInput({ field: 'name', message: name.error.issues[0]?.message ?? 'expected your name' });
    if (!isUuid(wanted.id)) throw unknown();
    const attempt = await this.outbox.transaction((manager, emit) =>
      this.attempt(manager, { ...wanted, name: name.data, caller }, emit),
    );
    if ('fault' in attempt) {
      guestLinks.inc({ step: 'refused' });
      throw attempt.fault;
    }
    const { link, guest, secret } = attempt;
    guestLinks.inc({ step: 'redeemed' });
    await this.openSoon(link, guest);
    return { secret, expires: link.expires_at };
  }

  private async attempt(
    manager: EntityManager,
    { id, secret, name, pin, caller }: Wanted & { caller: Caller },
    emit: (event: Event) => void,
  ): Promise<Attempt> {
    const link = found(await findLink(manager, id, { lock: true }), secret);
    requireKnown(link);
    const guest = { id: uuidv7(), linkId: id, name, address: plainText(caller.origin?.address) };
    const about = { ...aboutLink(link), action: 'guest_link.redeem', actor: actorOfGuest(link, guest) } as const;
    // Only holders of the secret reach this: others could use up what the limit admits.
    const refuse = async (fault: Fault): Promise<Attempt> => {
      const event = auditEvent(caller, { ...about, outcome: 'refused', reason: fault.message });
      // Without Redis it is recorded: a failure here would undo the count of wrong PINs.
      if (await this.refusals.admits('guest').catch(() => true)) emit(event);
      return { fault };
    };
    const closed = CLOSED[stateOf(link)];
    if (closed) return refuse(new Fault('failed_precondition', closed));
    if (link.pin !== null && !(await isPin(pin, link.pin))) {
      await countWrongPin(manager, id);
      emit(linkChanged(link));
      return refuse(wrongPin(GUEST_LINK_LIMITS.wrongPins - link.wrong_pins - 1));
    }
    const cookie = newSecret();
    const row = { ...guest, hash: hashOf(cookie) };
    await manager.insert(GuestEntity, row);
    await countUse(manager, id);
    emit(auditEvent(caller, about));
    emit(linkChanged(link, guest.id));
    return { link, guest: row, secret: cookie };
  }

  /** Reads the session of a guest's cookie. @throws Fault `unauthenticated`; `unavailable` for a link of a later version */
  async verify(secret: string): Promise<{ live: LiveSession; link: GuestLinkRow }> {
    const hash = hashOf(secret);
    const guest = await findGuest(this.source, hash);
    const link = guest && (await findLink(this.source, guest.linkId));
    if (!guest || !link || !isInForce(link)) throw ended();
    requireKnown(link);
    // A page of a web service may be read without a request: the hub's page around it asks.
    if (link.purpose === 'web') await this.presence.note([guest.id]);
    const [live] = await this.store.load([hash]);
    if (live && isEntryOf(live.session, link) && !this.sessions.isTouchDue(live)) return { live, link };
    return { live: await this.open(link, guest), link };
  }

  /** Opens the session of a guest whose use is spent already. If Redis does not answer, `verify` makes the entry. */
  private async openSoon(link: GuestLinkRow, guest: KnownGuest): Promise<void> {
    try {
      await this.open(link, guest);
    } catch (error) {
      if (error instanceof Fault && error.code === 'unauthenticated') throw error;
      this.log.warn(
        { err: error, guest: guest.id },
        'The entry of a guest could not be made; the next request makes it.',
      );
    }
  }

  /**
   * Makes the entry of a guest, or lets it last; replaces one of another version that does not say what the link opens. The row's lock
   * orders this against the end of the link, which removes the entry while it holds the lock: what it removes stays removed, since
   * extending brings nothing back.
   */
  private async open(link: GuestLinkRow, guest: KnownGuest): Promise<LiveSession> {
    const { hash } = guest;
    const [stored] = await this.store.load([hash]);
    const known = stored && isEntryOf(stored.session, link) ? stored : undefined;
    if (!known) await this.store.saveToken(hash, entryOf(link, guest), PROVISIONAL_MS);
    const [live] = known ? [known] : await this.store.load([hash]);
    const now = await this.source.transaction((manager) => findLink(manager, link.id, { lock: true }));
    if (live && now && isInForce(now)) return this.sessions.extended(live);
    await this.store.endTokens([hash]);
    throw ended();
  }
}

/** Another replica may know what the link opens, so it is neither used nor ended here. */
function requireKnown({ purpose }: GuestLinkRow): void {
  if (isKnownPurpose(purpose)) return;
  throw new Fault('unavailable', 'this version of the hub does not know what the guest link opens.', { retryAfter: 2 });
}

function found(link: FoundLink | undefined, secret: string): GuestLinkRow {
  if (!link || !isSameHash(link.hash, hashOf(secret))) throw unknown();
  return link;
}

const unknown = () => new Fault('not_found', 'guest link; ask for the whole link again.');
const ended = () => new Fault('unauthenticated', 'the guest access has ended.');

function wrongPin(left: number): Fault {
  const next = left > 0 ? `${left} ${left === 1 ? 'try is' : 'tries are'} left.` : 'the link is blocked now.';
  return invalidInput({ field: 'pin', message: `the PIN is wrong; ${next}` });
}
