import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { Injectable, Logger } from '@nestjs/common';
import { Fault, invalidInput } from '@warren/platform/errors/fault';
import type { Caller, UserCaller } from '@warren/platform/rpc/caller';
import type { TerminalInfo } from '@warren/proto/agent/v1/agent';
import { DevicePermission } from '@warren/proto/common/v1/common';
import { AccessRights } from '../access/access.rights.ts';
import { SessionTrail } from '../sockets/session.trail.ts';
import { Credentials } from '../links/credentials.ts';
import type { AgentLink } from '../links/link.ts';
import { Links } from '../links/links.ts';
import { deviceWords } from '../sockets/words.ts';
import { refusalOf } from './refusal.ts';

const ANSWER_MS = 5_000;
const OPENING = { permission: DevicePermission.TERMINAL, action: 'devices.open' } as const;
/** More than an agent allows; its answer is untrusted. */
const MOST = 64;
const MAX_COMMAND = 32;
const CELLS_MAX = 1_000;

interface Place {
  user: UserCaller;
  link: AgentLink;
  name: string;
}

/** The caller's own terminals on a device that is linked here. */
@Injectable()
export class TerminalControl {
  private readonly log = new Logger(TerminalControl.name);

  constructor(
    private readonly links: Links,
    private readonly credentials: Credentials,
    private readonly trail: SessionTrail,
    private readonly rights: AccessRights,
  ) {}

  /**
   * @throws Fault `permission_denied` by role, `not_found`; `unavailable` when the device is not connected, or does not answer;
   *   `failed_precondition` when its agent can't
   */
  async list(caller: Caller, { deviceId }: { deviceId: string }) {
    const { user, link, name } = await this.reach(caller, deviceId);
    const options = { timeoutMs: ANSWER_MS, signal: link.gone };
    const asked = link.agent.listTerminals({ userId: user.userId }, options);
    const { terminals } = await asked.catch((error: unknown) => {
      throw refusalOf(error, 'Terminals', name);
    });
    return { terminals: terminals.slice(0, MOST).map(terminalOf) };
  }

  /** @throws Fault as {@link list}; `not_found` for a terminal that has ended, or belongs to another user */
  async end(caller: Caller, { deviceId, session }: { deviceId: string; session: string }) {
    const { user, link, name } = await this.reach(caller, deviceId);
    // An empty id would mean all of them.
    if (session === '') throw invalidInput({ field: 'terminal', message: 'expected the id of a terminal.' });
    const { userId, email } = user;
    const request = { userId, session, why: `ended by ${email}` };
    const target = { kind: 'device', id: deviceId, name } as const;
    const audited = {
      action: 'terminal.end',
      accountId: link.accountId,
      target,
      details: { terminal: session },
    } as const;
    await this.trail.during(caller, audited, async () => {
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

  private async reach(caller: Caller, deviceId: string): Promise<Place> {
    const { accountId, name } = await this.credentials.get(deviceId);
    const user = await this.rights.require(caller, OPENING, { accountId, deviceId });
    const link = this.links.get(deviceId);
    if (!link?.alive) throw new Fault('unavailable', `${name} is not connected.`);
    return { user, link, name };
  }
}

function terminalOf({ session, startedAt, usedAt, attached, size, command }: TerminalInfo) {
  return {
    session: deviceWords(session),
    startedAt: time(startedAt),
    usedAt: time(usedAt),
    attached,
    cols: cells(size?.cols),
    rows: cells(size?.rows),
    command: deviceWords(command).slice(0, MAX_COMMAND),
  };
}

const cells = (count = 0) => Math.min(count, CELLS_MAX);

/** A device's clock may run ahead; clamps its timestamps to now. */
const time = (milliseconds: bigint) => timestampFromMs(Math.min(Number(milliseconds), Date.now()));
