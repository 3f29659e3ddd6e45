import { Code, ConnectError, type CallOptions } from '@connectrpc/connect';
import { Injectable, Logger } from '@nestjs/common';
import { Fault, invalidInput } from '@warren/platform/errors/fault';
import type { Caller, UserCaller } from '@warren/platform/rpc/caller';
import { DevicePermission } from '@warren/proto/common/v1/common';
import type { ChangeTerminalRequest } from '@warren/proto/tunnels/v1/tunnels';
import type { AuditAction } from '@warren/rules/audit';
import { terminalName, TERMINAL_LIMITS } from '@warren/rules/terminals';
import { AccessRights } from '../access/access.rights.ts';
import { Observing } from '../access/observing.ts';
import { DAY_S, PinLimits } from '../access/pin.limits.ts';
import { KeptPins } from '../sockets/kept.pins.ts';
import { SessionTrail } from '../sockets/session.trail.ts';
import { Credentials } from '../links/credentials.ts';
import type { AgentLink } from '../links/link.ts';
import { Links } from '../links/links.ts';
import { Rooms } from '../terminal/rooms.ts';
import { refusalOf } from './refusal.ts';
import { capacityOf, terminalOf } from './terminal.info.ts';

const ANSWER_MS = 5_000;
const OPENING = { permission: DevicePermission.TERMINAL, action: 'devices.open' } as const;
/** More than an agent allows; its answer is untrusted. */
const MOST = 64;
/** Owners whose terminals are listed for an observer. */
const MOST_OWNERS = 16;

interface Place {
  user: UserCaller;
  /** The access grant that lets the user open terminals; absent if the role does. */
  grantId?: string;
  link: AgentLink;
  name: string;
}

/** The caller's own terminals on a device that is linked here, and those that the caller may observe. */
@Injectable()
export class TerminalControl {
  private readonly log = new Logger(TerminalControl.name);

  constructor(
    private readonly links: Links,
    private readonly credentials: Credentials,
    private readonly trail: SessionTrail,
    private readonly rights: AccessRights,
    private readonly pins: PinLimits,
    private readonly kept: KeptPins,
    private readonly rooms: Rooms,
    private readonly observing: Observing,
  ) {}

  /**
   * @throws Fault `permission_denied` by role, `not_found`; `unavailable` when the device is not connected, or does not answer;
   *   `failed_precondition` when its agent can't
   */
  async list(caller: Caller, { deviceId }: { deviceId: string }) {
    const { user, link, name } = await this.reach(caller, deviceId);
    const options = { timeoutMs: ANSWER_MS, signal: link.gone };
    const pinDays = await this.pins.of(link.accountId).catch(() => undefined);
    const limit = pinDays === undefined ? {} : { pinLimitS: pinDays * DAY_S };
    const asked = link.agent.listTerminals({ userId: user.userId, ...limit }, options);
    const observable = this.observable(user, link, options);
    const { terminals, capacity } = await asked.catch((error: unknown) => {
      throw refusalOf(error, 'Terminals', name);
    });
    const own = terminals.slice(0, MOST).map(terminalOf);
    return { terminals: own, observable: await observable, ...capacityOf(capacity, pinDays) };
  }

  /** The terminals of others that the user may observe; none while it is not known whether the account allows it. Never rejects. */
  private async observable(user: UserCaller, link: AgentLink, options: CallOptions) {
    if (!(await this.observing.mayObserve(user, link.accountId).catch(() => false))) return [];
    const found = this.rooms.observable(link.deviceId, user.userId);
    const sessions = new Set(found.map(({ session }) => session));
    const owners = [...new Map(found.map(({ owner }) => [owner.userId, owner])).values()].slice(0, MOST_OWNERS);
    const listed = owners.map(async ({ userId, email: ownerEmail }) => {
      const { terminals } = await link.agent.listTerminals({ userId }, options).catch(() => ({ terminals: [] }));
      return terminals
        .filter(({ session }) => sessions.has(session))
        .map((terminal) => ({ ownerEmail, terminal: terminalOf(terminal) }));
    });
    return (await Promise.all(listed)).flat().slice(0, MOST);
  }

  /**
   * Renames, pins or unpins a terminal.
   * @throws Fault as {@link end}; `invalid_argument` for an invalid name, and a pin that the account does not allow; `unavailable` also
   *   if it can't be read what the account allows; `failed_precondition` when the device refuses the pin
   */
  async change(caller: Caller, { deviceId, session, name: wanted, pinDays }: ChangeTerminalRequest) {
    const place = await this.reach(caller, deviceId);
    const name = wanted === undefined ? undefined : nameOf(wanted);
    if (pinDays !== undefined) await this.requireAllowed(place.link.accountId, pinDays);
    const ask = () => this.ask(place, { session, name, pinDays });
    const pinned = () => {
      if (pinDays === undefined) return ask();
      const action = pinDays > 0 ? 'terminal.pin' : 'terminal.unpin';
      return this.recorded(caller, place, { action, details: { terminal: session, days: pinDays } }, ask);
    };
    if (name === undefined) return pinned();
    return this.recorded(caller, place, { action: 'terminal.rename', details: { terminal: session, name } }, pinned);
  }

  /** @throws Fault as {@link list}; `not_found` for a terminal that has ended, or belongs to another user */
  async end(caller: Caller, { deviceId, session }: { deviceId: string; session: string }) {
    const place = await this.reach(caller, deviceId);
    const { user, link, name } = place;
    // An empty id would mean all of them.
    if (session === '') throw invalidInput({ field: 'terminal', message: 'expected the id of a terminal.' });
    const { userId, email } = user;
    const request = { userId, session, why: `ended by ${email}` };
    const audited = { action: 'terminal.end', details: { terminal: session } } as const;
    await this.recorded(caller, place, audited, async () => {
      const asked = link.agent.endTerminals(request, { timeoutMs: ANSWER_MS, signal: link.gone });
      const { ended } = await asked.catch((error: unknown) => {
        throw refusalOf(error, 'Terminals', name);
      });
      if (ended === 0) throw new Fault('not_found', `terminal ${session}.`);
    });
    const what = 'terminal.ended';
    this.log.log({ audit: what, user: userId, email, device: deviceId, account: link.accountId, session }, what);
    return {};
  }

  private async ask(
    { user, link, name: device }: Place,
    { session, name, pinDays }: { session: string; name: string | undefined; pinDays: number | undefined },
  ) {
    const { userId, email: userEmail } = user;
    const changes = { ...(name !== undefined && { name }), ...(pinDays !== undefined && { pinS: pinDays * DAY_S }) };
    const asked = link.agent.changeTerminal(
      { userId, userEmail, session, ...changes },
      { timeoutMs: ANSWER_MS, signal: link.gone },
    );
    const { terminal } = await asked.catch((error: unknown) => {
      if (ConnectError.from(error).code === Code.NotFound) throw new Fault('not_found', `terminal ${session}.`);
      throw refusalOf(error, 'Terminals', device);
    });
    if (!terminal) throw new Fault('unavailable', `${device} did not answer.`);
    if (pinDays !== undefined && pinDays > 0) this.kept.pinned(link);
    return { terminal: terminalOf(terminal) };
  }

  private async requireAllowed(accountId: string, days: number): Promise<void> {
    if (days === 0) return;
    const most = Math.min(await this.pins.of(accountId), TERMINAL_LIMITS.pinDays);
    if (days <= most) return;
    const message = most === 0 ? 'the account allows no pins.' : `expected at most ${most}, which the account allows.`;
    throw invalidInput({ field: 'pin_days', message });
  }

  private recorded<T>(
    caller: Caller,
    { link, name, grantId }: Place,
    { action, details }: { action: AuditAction; details: Record<string, unknown> },
    ask: () => Promise<T>,
  ): Promise<T> {
    const { accountId, deviceId: id } = link;
    const audited = { action, accountId, target: { kind: 'device', id, name }, details } as const;
    return this.trail.during(caller, { ...audited, ...(grantId && { grantId }) }, ask);
  }

  private async reach(caller: Caller, deviceId: string): Promise<Place> {
    const { accountId, name } = await this.credentials.get(deviceId);
    const by = await this.rights.require(caller, OPENING, { accountId, deviceId });
    const link = this.links.get(deviceId);
    if (!link?.alive) throw new Fault('unavailable', `${name} is not connected.`);
    return { ...by, link, name };
  }
}

function nameOf(text: string): string {
  const { data, error } = terminalName.safeParse(text);
  if (data === undefined) throw invalidInput({ field: 'name', message: `${error?.issues[0]?.message}.` });
  return data;
}
