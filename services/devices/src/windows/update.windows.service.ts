import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Inject, Injectable } from '@nestjs/common';
import { invalidInput } from '@warren/platform/errors/fault';
import { auditEvent } from '@warren/platform/audit/audit.event';
import { newEvent } from '@warren/platform/events/event';
import { followingId } from '@warren/platform/events/event.id';
import { Outbox, type EventfulTransactions } from '@warren/platform/events/outbox';
import { requireMay } from '@warren/platform/policy/policy';
import type { Caller } from '@warren/platform/rpc/caller';
import type {
  GetUpdateWindowRequest,
  SetUpdateWindowRequest,
  UpdateWindowResponseSchema,
} from '@warren/proto/devices/v1/rollouts';
import { DataSource } from 'typeorm';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { AccountDirectory } from '../accounts/account.directory.ts';
import { UpdateWindowEntity } from './update.window.entity.ts';
import { isOpen, nextOpening, updateWindowSchema, windowText, type UpdateWindow } from './update.window.ts';

type Answer = MessageInitShape<typeof UpdateWindowResponseSchema>;

/** An account whose devices are not updated at present. */
export interface ClosedAccount {
  accountId: string;
  window: UpdateWindow;
}

/** When the devices of each account may be updated; always, where nothing is set. */
@Injectable()
export class UpdateWindowsService {
  constructor(
    private readonly source: DataSource,
    @Inject(Outbox) private readonly outbox: EventfulTransactions,
    private readonly accounts: AccountDirectory,
  ) {}

  /** @throws Fault `not_found` */
  async get(caller: Caller, { accountId }: Pick<GetUpdateWindowRequest, 'accountId'>): Promise<Answer> {
    requireMay(caller, 'accounts.read', accountId);
    await this.accounts.get(accountId);
    return answerOf((await this.source.manager.findOneBy(UpdateWindowEntity, { accountId })) ?? undefined);
  }

  /**
   * Replaces the window of an account; without one its devices may be updated always.
   * @throws Fault `not_found`; `permission_denied`; `invalid_argument` for days, times or a time zone that do not exist
   */
  async set(caller: Caller, request: Pick<SetUpdateWindowRequest, 'accountId' | 'window'>): Promise<Answer> {
    const { accountId } = request;
    const actor = requireMay(caller, 'updates.schedule', accountId);
    const window = request.window && parsed(request.window);
    const { name } = await this.accounts.get(accountId);
    await this.outbox.transaction(async (manager, emit) => {
      const before = (await manager.findOneBy(UpdateWindowEntity, { accountId })) ?? undefined;
      if (isDeepStrictEqual(contentOf(before), contentOf(window))) return;
      if (window) await manager.upsert(UpdateWindowEntity, { accountId, ...window }, ['accountId']);
      else await manager.delete(UpdateWindowEntity, { accountId });
      const value = { accountId, accountName: name, by: actor.email, window: windowText(window) };
      const kind = { case: 'updateWindowChanged', value } as const;
      const changed = newEvent({ accountId, actor: actor.userId, audited: true, kind });
      emit(changed);
      const audited = auditEvent(caller, {
        action: 'update_window.change',
        accountId,
        target: { kind: 'update_window', id: accountId, name },
        before: contentOf(before),
        after: contentOf(window),
      });
      emit({ ...audited, id: followingId(changed.id, 'audit') });
    });
    return answerOf(window);
  }

  /** Accounts whose windows are closed now. */
  async closed(): Promise<ClosedAccount[]> {
    const now = new Date();
    const windows = await this.source.manager.find(UpdateWindowEntity);
    return windows.filter((window) => !isOpen(window, now)).map((window) => ({ accountId: window.accountId, window }));
  }
}

function parsed(untrusted: unknown): UpdateWindow {
  const { data, error } = updateWindowSchema.safeParse(untrusted);
  if (!data) throw invalidInput({ field: 'window', message: z.prettifyError(error) });
  return data;
}

/** What people choose of a window; nothing without one. */
function contentOf(window: UpdateWindow | undefined): Partial<UpdateWindow> {
  if (!window) return {};
  const { days, from, to, timeZone } = window;
  return { days, from, to, timeZone };
}

function answerOf(window: UpdateWindow | undefined): Answer {
  if (!window) return { open: true };
  const { days, from, to, timeZone } = window;
  const now = new Date();
  const open = isOpen(window, now);
  return {
    window: { days, from, to, timeZone },
    open,
    ...(!open && { opens: timestampFromDate(nextOpening(window, now)) }),
  };
}
