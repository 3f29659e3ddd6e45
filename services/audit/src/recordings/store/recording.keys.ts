import { Injectable } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import { SealedColumns } from '@warren/platform/secrets/sealed.columns';
import { SecretBox } from '@warren/platform/secrets/secret.box';
import { randomBytes } from 'node:crypto';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { RecordingKeyEntity } from './key.entity.ts';
import { insertKey, replaceKey, sealedKeys } from './keys.sql.ts';

/** Age of a key at which the next recording gets another. */
const KEY_MS = 90 * 86_400_000;
const MOST_CACHED = 1_000;
const KEY_BYTES = 32;

/** A key of an account: AES-256. */
export interface RecordingKey {
  version: number;
  key: Buffer;
}

/** The keys that recordings of each account are encrypted with. They are kept encrypted by CHANNEL_KEY. */
@Injectable()
export class RecordingKeys extends SealedColumns {
  private readonly cached = new Map<string, RecordingKey>();

  constructor(
    private readonly source: DataSource,
    private readonly secrets: SecretBox,
  ) {
    super(secrets, {
      name: 'recording_keys',
      withoutKey: 'the operator has to set CHANNEL_KEY for the audit service before there can be recordings.',
      notAgain: 'Keys of recordings could not be encrypted with the present key.',
      read: (after, limit) => sealedKeys(source, after, limit),
      replace: (former, fresh) => replaceKey(source, former, fresh),
      forget: async () => {},
    });
  }

  /** Why nothing can be encrypted, for people; undefined if it can. */
  get problem(): string | undefined {
    return this.secrets.ready ? undefined : 'the operator has to set CHANNEL_KEY for the audit service first.';
  }

  /** The key that encrypts what an account records now. @throws Fault `failed_precondition` without CHANNEL_KEY */
  async current(accountId: string): Promise<RecordingKey> {
    const newest = await this.source.manager.findOne(RecordingKeyEntity, {
      where: { accountId },
      order: { version: 'DESC' },
    });
    if (newest && Date.now() < newest.created.getTime() + KEY_MS) return this.opened(newest);
    const id = uuidv7();
    const secret = this.seal('secret', id, randomBytes(KEY_BYTES).toString('base64'));
    const version = (newest?.version ?? 0) + 1;
    // Of two processes one inserts it; both read the one that is there then.
    await insertKey(this.source, { id, accountId, version, secret });
    return this.of(accountId, version);
  }

  /** @throws Fault `internal` for a key that is gone or can't be decrypted */
  async of(accountId: string, version: number): Promise<RecordingKey> {
    const cached = this.cached.get(`${accountId}:${version}`);
    if (cached) return cached;
    const row = await this.source.manager.findOneBy(RecordingKeyEntity, { accountId, version });
    if (!row) throw new Fault('internal', 'the key of this recording is gone.');
    return this.opened(row);
  }

  private opened(row: RecordingKeyEntity): RecordingKey {
    const name = `${row.accountId}:${row.version}`;
    const known = this.cached.get(name);
    if (known) return known;
    let key: Buffer;
    try {
      key = Buffer.from(this.open('secret', { id: row.id, secret: row.secret }), 'base64');
    } catch (cause) {
      const text = 'the hub cannot decrypt the keys of recordings: ask the operator about CHANNEL_KEY.';
      throw new Fault('failed_precondition', text, { cause });
    }
    const [oldest] = this.cached.keys();
    if (this.cached.size >= MOST_CACHED && oldest !== undefined) this.cached.delete(oldest);
    const opened = { version: row.version, key };
    this.cached.set(name, opened);
    return opened;
  }
}
