import type { MessageInitShape } from '@bufbuild/protobuf';
import { Inject, Injectable } from '@nestjs/common';
import { Fault, invalidInput } from '@warren/platform/errors/fault';
import { auditEvent } from '@warren/platform/audit/audit.event';
import { Outbox, type EventfulTransactions } from '@warren/platform/events/outbox';
import { listScope } from '@warren/platform/policy/policy';
import { requireUser, type Caller } from '@warren/platform/rpc/caller';
import type { UserSchema } from '@warren/proto/tenancy/v1/tenancy';
import { personName as nameRule } from '@warren/rules/people';
import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { DataSource, type EntityManager } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { actedBy } from '../contract/acting.ts';
import { check } from '../contract/check.ts';
import { aboutUser } from '../events/audited.ts';
import { userChanged } from '../events/tenancy.event.ts';
import { personName } from '../users/person-name.ts';
import { UserEntity } from '../users/user.entity.ts';
import { asUser, type UserRow } from '../users/user.row.ts';
import { userOf } from '../users/users.sql.ts';
import { PictureEntity } from './picture.entity.ts';

const MAX_PICTURE_BYTES = 256 * 1024;

/** Changes users' own names and pictures. */
@Injectable()
export class ProfilesService {
  constructor(
    private readonly source: DataSource,
    @Inject(Outbox) private readonly outbox: EventfulTransactions,
  ) {}

  /** Changes the given fields of the caller's profile; an empty picture removes it. */
  async update(
    caller: Caller,
    request: { name?: string; picture?: Uint8Array },
  ): Promise<{ user: MessageInitShape<typeof UserSchema> }> {
    const { userId: id, accountId } = requireUser(caller);
    const name = request.name === undefined ? undefined : personName(check('name', nameRule, request.name));
    return this.outbox.transaction(async (manager, emit) => {
      const before = await userOf(manager, id, accountId);
      const picture = request.picture && (await keepPicture(manager, id, request.picture));
      const changes = { ...(name === undefined ? {} : { name }), ...(picture === undefined ? {} : { picture }) };
      if (Object.keys(changes).length > 0) await manager.update(UserEntity, { id, accountId }, changes);
      const row = await userOf(manager, id, accountId);
      if (!row) throw new Fault('not_found', `user ${id}.`);
      actedBy(id, emit)(userChanged({ ...row, accountId }));
      const states = { before: profileOf(before), after: profileOf(row) };
      if (!isDeepStrictEqual(states.before, states.after))
        emit(auditEvent(caller, { action: 'user.change_profile', ...aboutUser(row), ...states }));
      return { user: asUser(row) };
    });
  }

  /** The picture of a user whose account the caller may read. */
  async picture(caller: Caller, { userId }: { userId: string }): Promise<{ content: Uint8Array }> {
    const { accountId } = listScope(caller, 'accounts.read', '');
    const picture = isUuid(userId) ? await pictureOf(this.source.manager, userId, accountId) : null;
    if (!picture) throw new Fault('not_found', `the picture of user ${userId}.`);
    return { content: picture.content };
  }
}

/** What people change of themselves. */
function profileOf(row: UserRow | undefined): Pick<UserRow, 'name' | 'picture'> | undefined {
  return row && { name: row.name, picture: row.picture };
}

/** @param accountId undefined for any account */
function pictureOf(manager: EntityManager, id: string, accountId: string | undefined): Promise<PictureEntity | null> {
  return manager
    .createQueryBuilder(PictureEntity, 'picture')
    .innerJoin(UserEntity, 'person', 'person.id = picture.userId')
    .where(accountId === undefined ? 'person.id = :id' : 'person.id = :id AND person.accountId = :accountId')
    .setParameters({ id, accountId })
    .getOne();
}

/** @returns the address of the picture, which changes with it, so that browsers may cache it; empty for none */
async function keepPicture(manager: EntityManager, userId: string, picture: Uint8Array): Promise<string> {
  if (picture.length === 0) {
    await manager.delete(PictureEntity, { userId });
    return '';
  }
  const content = Buffer.from(picture);
  if (content.length > MAX_PICTURE_BYTES || !isWebP(content))
    throw invalidInput({ field: 'picture', message: `expected WebP of ${MAX_PICTURE_BYTES} bytes at most.` });
  await manager.upsert(PictureEntity, { userId, content }, ['userId']);
  const version = createHash('sha256').update(content).digest('hex').slice(0, 16);
  return `/api/pictures/${userId}?v=${version}`;
}

/** RFC 9649, section 2.4: `RIFF`, the size, `WEBP`. */
function isWebP(content: Buffer): boolean {
  return content.subarray(0, 4).toString('latin1') === 'RIFF' && content.subarray(8, 12).toString('latin1') === 'WEBP';
}
