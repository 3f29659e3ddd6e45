import type { MessageInitShape } from '@bufbuild/protobuf';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { constraintOf } from '@warren/platform/database/database.fault';
import { Fault, invalidInput } from '@warren/platform/errors/fault';
import { newSigningSecret } from '@warren/platform/outbound/signature';
import { listScope, requireMay, sightOf } from '@warren/platform/policy/policy';
import { requireUser, type Caller } from '@warren/platform/rpc/caller';
import type {
  CreateStreamRequest,
  StreamSchema,
  StreamSecretResponseSchema,
  TestStreamResponseSchema,
  UpdateStreamRequest,
} from '@warren/proto/audit/v1/audit';
import { STREAM_LIMITS } from '@warren/rules/audit-streams';
import { DataSource, IsNull, type EntityManager } from 'typeorm';
import { validate as isUuid, v7 as uuidv7 } from 'uuid';
import { EventStore } from '../../recording/event.store.ts';
import { Recorder } from '../../recording/recorder.ts';
import { INSTALLATION } from '../../recording/row.ts';
import { FileClient } from '../delivery/file.client.ts';
import { Sender } from '../delivery/sender.ts';
import { caOf, filterOf, kindOf, nameOf, targetOf } from './stream.input.ts';
import { auditedStream, isChanged, streamMessage, type StreamSettings } from './stream.mapper.ts';
import { StreamSecrets } from '../store/stream.secrets.ts';
import { StreamEntity } from '../store/stream.entity.ts';
import {
  countChange,
  deleteStreamsOf,
  listStreams,
  lockStreams,
  startPositions,
  takeTest,
} from '../store/streams.sql.ts';

type Answer = MessageInitShape<typeof StreamSchema>;
type Scope = { accountId: string; all: boolean };

const TEST_EVERY_SECONDS = 10;
const RECEIVERS_PER_HOUR = 500;
const HOUR_SECONDS = 3_600;

/** Streams of an account, and of all accounts (policy `audit.manage`). */
@Injectable()
export class StreamsService implements OnModuleInit {
  constructor(
    private readonly source: DataSource,
    private readonly store: EventStore,
    private readonly secrets: StreamSecrets,
    private readonly sender: Sender,
    private readonly recorder: Recorder,
    private readonly files: FileClient,
  ) {}

  onModuleInit(): void {
    this.recorder.onDeleted((accounts) => deleteStreamsOf(this.source, accounts));
  }

  /** Lists streams by name. @throws Fault `not_found`, `permission_denied` */
  async list(caller: Caller, scope: Scope): Promise<{ streams: Answer[]; files: boolean }> {
    const streams = await listStreams(this.source, scoped(caller, scope));
    return { streams: streams.map(streamMessage), files: scope.all && this.files.folder !== undefined };
  }

  /**
   * Creates a stream, which starts with the next event.
   * @throws Fault `invalid_argument`; `already_exists` for the name; `failed_precondition` for one too many, without CHANNEL_KEY or a folder;
   * `resource_exhausted` for too many changes
   */
  async create(
    caller: Caller,
    request: Omit<CreateStreamRequest, '$typeName'>,
  ): Promise<MessageInitShape<typeof StreamSecretResponseSchema>> {
    const accountId = scoped(caller, request);
    const kind = kindOf(request.kind);
    if (kind === 'file') this.requireFiles(accountId);
    const { url, shown } = targetOf(kind, request.url);
    const settings = { name: nameOf(request.name), ca: caOf(kind, request.ca), ...filterOf(request.filter) };
    const id = uuidv7();
    const secret = kind === 'webhook' ? newSigningSecret() : undefined;
    const row: StreamSettings = {
      ...settings,
      id,
      accountId,
      kind,
      url: kind === 'file' ? Buffer.alloc(0) : this.secrets.seal('url', id, url),
      urlShown: shown,
      secret: secret ? this.secrets.seal('secret', id, secret) : null,
      formerSecret: null,
      formerUntil: null,
      enabled: true,
    };
    const event = auditedStream(caller, { action: 'audit_stream.create', after: row });
    await this.named(row.name, () =>
      this.store.storeWith([event], async (manager) => {
        await limit(manager, accountId, 1);
        await lockStreams(manager, accountId);
        if ((await manager.countBy(StreamEntity, { accountId: accountId ?? IsNull() })) >= STREAM_LIMITS.perAccount)
          throw new Fault(
            'failed_precondition',
            `there are ${STREAM_LIMITS.perAccount} streams already: delete one first.`,
          );
        await manager.insert(StreamEntity, { ...row });
        await startPositions(manager, row);
      }),
    );
    return { stream: streamMessage(row), ...(secret && { secret }) };
  }

  /** Changes what is given, and has the stream deliver at once. @throws Fault `not_found`; `permission_denied`; else as {@link create} */
  async update(caller: Caller, request: Omit<UpdateStreamRequest, '$typeName'>): Promise<{ stream: Answer }> {
    const before = await this.managed(caller, request.id);
    const target = request.url === undefined ? undefined : targetOf(before.kind, request.url);
    const changes = {
      name: nameOf(request.name ?? before.name),
      ca: caOf(before.kind, request.ca ?? before.ca),
      ...(request.filter && filterOf(request.filter)),
      enabled: request.enabled ?? before.enabled,
      ...(target &&
        before.kind !== 'file' && { url: this.secrets.seal('url', before.id, target.url), urlShown: target.shown }),
    };
    const row = { ...before, ...changes };
    const audited = { action: 'audit_stream.change' as const, before, after: row };
    await this.named(row.name, () =>
      this.store.storeWith(isChanged(before, row) ? [auditedStream(caller, audited)] : [], async (manager) => {
        await limit(manager, before.accountId, target ? 1 : 0);
        await change(manager, before, { ...changes, failures: 0 });
      }),
    );
    return { stream: streamMessage(row) };
  }

  /**
   * Replaces the signing secret of a webhook; the former one signs as well for 24 hours.
   * @throws Fault `failed_precondition` for other streams; `resource_exhausted` for too many changes; else as {@link delete}
   */
  async rotateSecret(
    caller: Caller,
    { id }: { id: string },
  ): Promise<MessageInitShape<typeof StreamSecretResponseSchema>> {
    const before = await this.managed(caller, id);
    if (before.kind !== 'webhook')
      throw new Fault('failed_precondition', `${before.name} is no webhook, so it signs nothing.`);
    const secret = newSigningSecret();
    const rotated = this.secrets.rotated(before, secret);
    const row = { ...before, ...rotated };
    const event = auditedStream(caller, { action: 'audit_stream.rotate_secret', before, after: row });
    await this.store.storeWith([event], async (manager) => {
      await limit(manager, before.accountId, 0);
      await change(manager, before, rotated);
    });
    return { stream: streamMessage(row), secret };
  }

  /** @throws Fault `not_found`, `permission_denied` */
  async delete(caller: Caller, { id }: { id: string }): Promise<Record<string, never>> {
    const before = await this.managed(caller, id);
    const event = auditedStream(caller, { action: 'audit_stream.delete', before });
    await this.store.storeWith([event], async (manager) => {
      await manager.delete(StreamEntity, { id, accountId: before.accountId ?? IsNull() });
    });
    return {};
  }

  /** Sends a test message, paused or not. @throws Fault `resource_exhausted` too soon after the last one; else as {@link delete} */
  async test(caller: Caller, { id }: { id: string }): Promise<MessageInitShape<typeof TestStreamResponseSchema>> {
    const stream = await this.managed(caller, id);
    if (!(await takeTest(this.source, id, TEST_EVERY_SECONDS)))
      throw new Fault('resource_exhausted', `a test is possible every ${TEST_EVERY_SECONDS} seconds.`, {
        retryAfter: TEST_EVERY_SECONDS,
      });
    const sent = await this.sender.test(stream, `test.${uuidv7()}`);
    const failure = sent.delivered ? undefined : sent.reason;
    const tried = { action: 'audit_stream.test' as const, before: stream, after: stream };
    await this.store.store([auditedStream(caller, { ...tried, ...(failure !== undefined && { failure }) })]);
    return { delivered: sent.delivered, reason: failure ?? '' };
  }

  /** Files are on the hub's machine, thus the operator's. @throws Fault `invalid_argument`, `failed_precondition` */
  private requireFiles(accountId: string | null): void {
    if (accountId !== null)
      throw invalidInput({
        field: 'kind',
        message: 'expected webhook or syslog: only streams of all accounts are files',
      });
    if (this.files.folder === undefined)
      throw new Fault(
        'failed_precondition',
        'the operator has to set AUDIT_STREAM_FOLDER for the audit service before there can be files.',
      );
  }

  private async managed(caller: Caller, id: string): Promise<StreamEntity> {
    const accountId = sightOf(caller);
    const where = accountId === undefined ? { id } : { id, accountId };
    const row = isUuid(id) ? await this.source.manager.findOneBy(StreamEntity, where) : null;
    if (!row) throw new Fault('not_found', `audit stream ${id}.`);
    requireMay(caller, 'audit.manage', row.accountId ?? INSTALLATION, `audit stream ${id}`);
    return row;
  }

  private async named<T>(name: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (cause) {
      if (constraintOf(cause) !== 'streams_name') throw cause;
      throw new Fault('already_exists', `another stream is called ${name} already.`, { cause });
    }
  }
}

/** Changes a stream, and has it deliver at once. @throws Fault `failed_precondition` if it was changed or deleted since it was read */
async function change(manager: EntityManager, before: StreamEntity, changes: Partial<StreamEntity>): Promise<void> {
  const { id, name, accountId, version } = before;
  const { affected } = await manager.update(
    StreamEntity,
    { id, accountId: accountId ?? IsNull(), version },
    { ...changes, version: version + 1, nextAt: () => 'now()', claimedBy: null, claimedUntil: null },
  );
  if (!affected) throw new Fault('failed_precondition', `${name} was changed meanwhile: load it again.`);
}

/** The account of a request; null for streams of all accounts. @throws Fault `permission_denied`, `not_found` */
function scoped(caller: Caller, { accountId, all }: Scope): string | null {
  if (!all) {
    const account = accountId || requireUser(caller).accountId;
    requireMay(caller, 'audit.manage', account);
    return account.toLowerCase();
  }
  const scope = listScope(caller, 'audit.manage', '');
  if (scope.accountId !== undefined)
    throw new Fault('permission_denied', 'only SuperAdmins manage the streams of all accounts.');
  return null;
}

/** Counts a change, unless there were too many in this hour. @throws Fault `resource_exhausted` */
async function limit(manager: EntityManager, accountId: string | null, receivers: number): Promise<void> {
  const made = await countChange(manager, accountId ?? INSTALLATION, receivers);
  const isOver = made.changes > STREAM_LIMITS.changesPerHour || (receivers > 0 && made.receivers > RECEIVERS_PER_HOUR);
  if (!isOver) return;
  throw new Fault('resource_exhausted', 'the account reached its limit of changes to audit streams per hour.', {
    retryAfter: HOUR_SECONDS - (Math.floor(Date.now() / 1_000) % HOUR_SECONDS),
  });
}
