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
import { ChannelEntity } from './channel.entity.ts';
import { kindOf, parsed, quietOf, settingsSchema, targetOf } from './channel.input.ts';
import { channelMessage } from './channel.mapper.ts';
import { ChannelSecrets } from './channel.secrets.ts';
import { failWaiting, lockChannels, releaseHeld } from './channels.sql.ts';
import { deleteUsesOf, keepCount } from './uses.sql.ts';

type Answer = MessageInitShape<typeof ChannelSchema>;
type WithSecret = MessageInitShape<typeof ChannelSecretResponseSchema>;

/** In one answer to an operator. */
const MOST_LISTED = 1_000;
const UNUSED = {
  formerSecret: null,
  formerUntil: null,
  lastSuccess: null,
  lastFailure: null,
  lastError: '',
  gone: 0,
  testedAt: null,
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
    const channels = await this.source.manager
      .createQueryBuilder(ChannelEntity, 'channel')
      .where(accountId === undefined ? 'true' : 'channel.accountId = :accountId', { accountId })
      .orderBy('lower(channel.name)')
      .addOrderBy('channel.id')
      .limit(MOST_LISTED)
      .getMany();
    return { channels: channels.map(channelMessage) };
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
    const row: ChannelEntity = {
      ...UNUSED,
      ...settings,
      id,
      accountId,
      kind,
      addresses,
      url: url === undefined ? null : this.secrets.seal('url', id, url),
      urlShown: url === undefined ? '' : shownUrl(url),
      secret: secret === undefined ? null : this.secrets.seal('secret', id, secret),
      createdAt: new Date(),
    };
    await this.named(row.name, async (manager, emit) => {
      await lockChannels(manager, accountId);
      if ((await manager.countBy(ChannelEntity, { accountId })) >= CHANNEL_LIMITS.perAccount)
        throw new Fault(
          'failed_precondition',
          `the account has ${CHANNEL_LIMITS.perAccount} channels: delete one first.`,
        );
      await manager.insert(ChannelEntity, row);
      emit(channelAudited(caller, { action: 'channel.create', before: undefined, after: row }));
    });
    return { channel: channelMessage(row), ...(secret && { secret }) };
  }

  /** Changes what is set. @throws Fault `not_found`, `permission_denied`, `already_exists` for the name */
  async update(caller: Caller, request: UpdateChannelRequest): Promise<{ channel: Answer }> {
    return this.named(request.name ?? '', async (manager, emit) => {
      const before = await managed(manager, caller, request.id, LOCKED);
      const row = await change(manager, before, this.changed(before, request));
      await releaseHeld(manager, row.id);
      if (!row.enabled) await failWaiting(manager, row.id, 'The channel was disabled.');
      if (isChanged(before, row)) emit(channelAudited(caller, { action: 'channel.change', before, after: row }));
      return { channel: channelMessage(row) };
    });
  }

  /** @throws Fault `not_found`, `permission_denied` */
  async delete(caller: Caller, { id }: { id: string }): Promise<Record<string, never>> {
    return this.outbox.transaction(async (manager, emit) => {
      const row = await managed(manager, caller, id, LOCKED);
      const { accountId } = row;
      await keepCount(manager, accountId, id);
      await manager.delete(ChannelEntity, { id, accountId });
      emit(channelAudited(caller, { action: 'channel.delete', before: row, after: undefined }));
      return {};
    });
  }

  /** Replaces the signing secret of a webhook; the former one signs as well for 24 hours. @throws Fault `failed_precondition` for other channels; else as {@link delete} */
  async rotateSecret(caller: Caller, { id }: { id: string }): Promise<WithSecret> {
    return this.outbox.transaction(async (manager, emit) => {
      const before = await managed(manager, caller, id, LOCKED);
      if (before.kind !== 'webhook')
        throw new Fault('failed_precondition', `${before.name} is no webhook, so it signs nothing.`);
      const secret = newSigningSecret();
      const row = await change(manager, before, this.secrets.rotated(before, secret));
      emit(channelAudited(caller, { action: 'channel.rotate_secret', before, after: row }));
      return { channel: channelMessage(row), secret };
    });
  }

  /** Deletes what a deleted account leaves behind. */
  async forget(accountId: string): Promise<void> {
    await this.source.manager.delete(ChannelEntity, { accountId });
    await deleteUsesOf(this.source, accountId);
  }

  private changed(before: ChannelEntity, request: UpdateChannelRequest): Partial<ChannelEntity> {
    const settings = parsed(settingsSchema, {
      name: request.name ?? before.name,
      min_severity: request.minSeverity ?? before.minSeverity,
      quiet: request.clearQuiet ? null : request.quiet ? quietOf(request.quiet) : before.quiet,
      after_minutes: request.afterMinutes ?? before.afterMinutes,
      recovery: request.recovery ?? before.recovery,
      enabled: request.enabled ?? before.enabled,
    });
    if (!request.target) return settings;
    const { addresses, url } = targetOf(before.kind, request.target);
    if (url === undefined) return { ...settings, addresses };
    return { ...settings, url: this.secrets.seal('url', before.id, url), urlShown: shownUrl(url) };
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

const LOCKED = { lock: { mode: 'pessimistic_write' } } as const;

/** Finds a channel that the caller may manage. @throws Fault `not_found`, `permission_denied` */
export async function managed(
  manager: EntityManager,
  caller: Caller,
  id: string,
  options: Partial<typeof LOCKED> = {},
): Promise<ChannelEntity> {
  const accountId = sightOf(caller);
  const where = accountId === undefined ? { id } : { id, accountId };
  const row = isUuid(id) ? await manager.findOne(ChannelEntity, { where, ...options }) : null;
  if (!row) throw new Fault('not_found', `channel ${id}.`);
  requireMay(caller, 'channels.manage', row.accountId, `channel ${id}`);
  return row;
}

/** Changes a channel that is locked. One that was changed has not failed so far. */
async function change(
  manager: EntityManager,
  before: ChannelEntity,
  changes: Partial<ChannelEntity>,
): Promise<ChannelEntity> {
  const { id, accountId } = before;
  await manager.update(ChannelEntity, { id, accountId }, { ...changes, gone: 0 });
  return { ...before, ...changes };
}
