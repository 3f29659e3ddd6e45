import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Inject, Injectable } from '@nestjs/common';
import { invalidInput } from '@warren/platform/errors/fault';
import { newEvent } from '@warren/platform/events/event';
import { Outbox, type EventfulTransactions } from '@warren/platform/events/outbox';
import { requireMay } from '@warren/platform/policy/policy';
import type { Caller } from '@warren/platform/rpc/caller';
import type {
  GetUpdateWindowRequest,
  SetUpdateWindowRequest,
  UpdateWindowResponseSchema,
} from '@warren/proto/devices/v1/rollouts';
import { DataSource } from 'typeorm';
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
    requireMay(caller, 'accounts.read', accountId, `account ${accountId}`);
    await this.accounts.get(accountId);
    return answerOf((await this.source.manager.findOneBy(UpdateWindowEntity, { accountId })) ?? undefined);
  }

  /**
   * Replaces the window of an account; without one its devices may be updated always.
   * @throws Fault `not_found`; `permission_denied`; `invalid_argument` for days, times or a time zone that do not exist
   */
  async set(caller: Caller, request: Pick<SetUpdateWindowRequest, 'accountId' | 'window'>): Promise<Answer> {
    const { accountId } = request;
    const actor = requireMay(caller, 'updates.schedule', accountId, `account ${accountId}`);
    const window = request.window && parsed(request.window);
    const { name } = await this.accounts.get(accountId);
    await this.outbox.transaction(async (manager, emit) => {
      if (window) await manager.upsert(UpdateWindowEntity, { accountId, ...window }, ['accountId']);
      else await manager.delete(UpdateWindowEntity, { accountId });
      const value = { accountId, accountName: name, by: actor.email, window: windowText(window) };
      emit(newEvent({ accountId, actor: actor.userId, kind: { case: 'updateWindowChanged', value } }));
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
