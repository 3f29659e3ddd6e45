import type { MessageInitShape } from '@bufbuild/protobuf';
import { Inject, Injectable } from '@nestjs/common';
import { constraintOf } from '@warren/platform/database/database.fault';
import { Fault } from '@warren/platform/errors/fault';
import { Outbox, type EventfulTransactions, type EventfulWork } from '@warren/platform/events/outbox';
import { newSigningSecret, shownUrl } from '@warren/platform/outbound/signature';
import { listScope, requireMay, sightOf } from '@warren/platform/policy/policy';
import { requireUser, type Caller } from '@warren/platform/rpc/caller';
import type {
  ChannelSchema,
  ChannelSecretResponseSchema,
  CreateChannelRequest,
  UpdateChannelRequest,
} from '@warren/proto/fleet/v1/notifications';
import { CHANNEL_LIMITS } from '@warren/rules/channels';
import { DataSource, type EntityManager } from 'typeorm';
import { validate as isUuid, v7 as uuidv7 } from 'uuid';
import { AccountNames } from './account.names.ts';
import { channelAudited, isChanged } from './channel.audit.ts';
import { kindOf, parsed, quietOf, settingsSchema, targetOf } from './channel.input.ts';
import { channelMessage } from './channel.mapper.ts';
import { ChannelSecrets } from './channel.secrets.ts';
import {
  countChannels,
  deleteChannel,
  deleteChannelsOf,
  failWaiting,
  insertChannel,
  listChannels,
  lockChannel,
  releaseHeld,
  updateChannel,
  type ChannelRow,
} from './channels.sql.ts';
import { deleteUsesOf, keepCount } from './uses.sql.ts';

type Answer = MessageInitShape<typeof ChannelSchema>;
type WithSecret = MessageInitShape<typeof ChannelSecretResponseSchema>;

/** In one answer to an operator. */
const MOST_LISTED = 1_000;
const UNUSED = {
  former_secret: null,
  former_until: null,
  last_success: null,
  last_failure: null,
  last_error: '',
  gone: 0,
};

/** Channels of accounts (policy `channels.manage`). */
@Injectable()
export class ChannelsService {
  constructor(
    private readonly source: DataSource,
    @Inject(Outbox) private readonly outbox: EventfulTransactions,
    private readonly secrets: ChannelSecrets,
    private readonly accounts: AccountNames,
  ) {}

  /** Lists channels by name. @throws Fault `not_found`, `permission_denied` */
  async list(caller: Caller, request: { accountId: string }): Promise<{ channels: Answer[] }> {
    const { accountId } = listScope(caller, 'channels.manage', request.accountId);
    return { channels: (await listChannels(this.source, accountId, MOST_LISTED)).map(channelMessage) };
  }

  /** @throws Fault `not_found` for the account, `already_exists` for the name, `failed_precondition` when there are too many */
  async create(caller: Caller, { channel }: Pick<CreateChannelRequest, 'channel'>): Promise<WithSecret> {
    const accountId = channel?.accountId || requireUser(caller).accountId;
    requireMay(caller, 'channels.manage', accountId);
    await this.accounts.of(accountId);
    const settings = parsed(settingsSchema, {
      ...channel,
      min_severity: channel?.minSeverity,
      quiet: quietOf(channel?.quiet),
      after_minutes: channel?.afterMinutes,
    });
    const kind = kindOf(channel?.kind ?? 0);
    const { addresses, url } = targetOf(kind, channel?.target);
    const id = uuidv7();
    const secret = kind === 'webhook' ? newSigningSecret() : undefined;
    const row: ChannelRow = {
      ...UNUSED,
      ...settings,
      id,
      account_id: accountId,
      kind,
      addresses,
      url: url === undefined ? null : this.secrets.seal('url', id, url),
      url_shown: url === undefined ? '' : shownUrl(url),
      secret: secret === undefined ? null : this.secrets.seal('secret', id, secret),
    };
    await this.named(row.name, async (manager, emit) => {
      if ((await countChannels(manager, accountId)) >= CHANNEL_LIMITS.perAccount)
        throw new Fault(
          'failed_precondition',
          `the account has ${CHANNEL_LIMITS.perAccount} channels: delete one first.`,
        );
      await insertChannel(manager, row);
      emit(channelAudited(caller, { action: 'channel.create', before: undefined, after: row }));
    });
    return { channel: channelMessage(row), ...(secret && { secret }) };
  }

  /** Changes what is set. @throws Fault `not_found`, `permission_denied`, `already_exists` for the name */
  async update(caller: Caller, request: UpdateChannelRequest): Promise<{ channel: Answer }> {
    return this.named(request.name ?? '', async (manager, emit) => {
      const before = await hold(manager, caller, request.id);
      const row = { ...before, ...this.changed(before, request) };
      await updateChannel(manager, row);
      await releaseHeld(manager, row.id);
      if (!row.enabled) await failWaiting(manager, row.id, 'The channel was disabled.');
      if (isChanged(before, row)) emit(channelAudited(caller, { action: 'channel.change', before, after: row }));
      return { channel: channelMessage(row) };
    });
  }

  /** @throws Fault `not_found`, `permission_denied` */
  async delete(caller: Caller, { id }: { id: string }): Promise<Record<string, never>> {
    return this.outbox.transaction(async (manager, emit) => {
      const row = await hold(manager, caller, id);
      await keepCount(manager, row.account_id, row.id);
      await deleteChannel(manager, row);
      emit(channelAudited(caller, { action: 'channel.delete', before: row, after: undefined }));
      return {};
    });
  }

  /** Replaces the signing secret of a webhook; the former one signs as well for 24 hours. @throws Fault `failed_precondition` for other channels; else as {@link delete} */
  async rotateSecret(caller: Caller, { id }: { id: string }): Promise<WithSecret> {
    return this.outbox.transaction(async (manager, emit) => {
      const before = await hold(manager, caller, id);
      if (before.kind !== 'webhook')
        throw new Fault('failed_precondition', `${before.name} is no webhook, so it signs nothing.`);
      const secret = newSigningSecret();
      const row = { ...before, ...this.secrets.rotated(before, secret) };
      await updateChannel(manager, row);
      emit(channelAudited(caller, { action: 'channel.rotate_secret', before, after: row }));
      return { channel: channelMessage(row), secret };
    });
  }

  /** Deletes what a deleted account leaves behind. */
  async forget(accountId: string): Promise<void> {
    await deleteChannelsOf(this.source, accountId);
    await deleteUsesOf(this.source, accountId);
  }

  private changed(before: ChannelRow, request: UpdateChannelRequest): Partial<ChannelRow> {
    const settings = parsed(settingsSchema, {
      name: request.name ?? before.name,
      min_severity: request.minSeverity ?? before.min_severity,
      quiet: request.clearQuiet ? null : request.quiet ? quietOf(request.quiet) : before.quiet,
      after_minutes: request.afterMinutes ?? before.after_minutes,
      recovery: request.recovery ?? before.recovery,
      enabled: request.enabled ?? before.enabled,
    });
    if (!request.target) return settings;
    const { addresses, url } = targetOf(before.kind, request.target);
    if (url === undefined) return { ...settings, addresses };
    return { ...settings, url: this.secrets.seal('url', before.id, url), url_shown: shownUrl(url) };
  }

  private async named<T>(name: string, work: EventfulWork<T>): Promise<T> {
    try {
      return await this.outbox.transaction(work);
    } catch (cause) {
      if (constraintOf(cause) !== 'notification_channels_name') throw cause;
      throw new Fault('already_exists', `a channel of the account is called ${name} already.`, { cause });
    }
  }
}

/** Finds a channel that the caller may manage. @throws Fault `not_found`, `permission_denied` */
export async function managed(
  manager: EntityManager,
  caller: Caller,
  id: string,
  find: typeof lockChannel,
): Promise<ChannelRow> {
  const row = isUuid(id) ? await find(manager, id, sightOf(caller)) : undefined;
  if (!row) throw new Fault('not_found', `channel ${id}.`);
  requireMay(caller, 'channels.manage', row.account_id, `channel ${id}`);
  return row;
}

const hold = (manager: EntityManager, caller: Caller, id: string) => managed(manager, caller, id, lockChannel);
