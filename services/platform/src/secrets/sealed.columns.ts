import { Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { Fault } from '../errors/fault.ts';
import { DeliveryError } from '../outbound/delivery.error.ts';
import { FORMER_SECRET_HOURS } from '../outbound/signature.ts';
import type { SecretBox } from './secret.box.ts';

const BATCH = 200;
const FIRST = '00000000-0000-0000-0000-000000000000';

/** The encrypted values of a row, by what each is bound to. */
const COLUMNS = { url: 'url', secret: 'secret', formerSecret: 'former_secret' } as const;
type Column = keyof typeof COLUMNS;

/** A row with encrypted values. */
export interface SealedRow {
  id: string;
  url: Buffer | null;
  secret: Buffer | null;
  /** The replaced secret, which signs beside the present one until `formerUntil`. */
  formerSecret: Buffer | null;
}

/** A row whose messages are signed. */
export type SigningRow = Pick<SealedRow, 'id' | 'secret' | 'formerSecret'> & { formerUntil: Date | null };

interface SealedTable {
  /** What a value is bound to, with its column and row. */
  name: string;
  /** Says what needs CHANNEL_KEY, for people and for the log. */
  withoutKey: string;
  notAgain: string;
  /** Reads the rows after an id, in the order of ids. */
  read(after: string, limit: number): Promise<SealedRow[]>;
  /** Replaces the values of a row, unless they have changed. */
  replace(former: SealedRow, fresh: Omit<SealedRow, 'id'>): Promise<void>;
  /** Deletes former secrets that no longer sign. */
  forget(): Promise<void>;
}

/** Encrypts the URLs and secrets of a table. After a change of the key it encrypts them with the present one at the start. */
export abstract class SealedColumns implements OnApplicationBootstrap {
  private readonly log = new Logger(this.constructor.name);

  constructor(
    private readonly box: SecretBox,
    private readonly table: SealedTable,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    if (!this.box.ready) return;
    try {
      await this.forgetExpired();
      await this.sealAgain();
    } catch (error) {
      this.log.error({ err: error }, this.table.notAgain);
    }
  }

  /** @throws Fault `failed_precondition` without a key */
  seal(column: Column, id: string, text: string): Buffer {
    if (!this.box.ready) throw new Fault('failed_precondition', this.table.withoutKey);
    return this.box.seal(this.place(column, id), text);
  }

  /** @throws Error without a value, or if it was sealed with another key */
  open<C extends Column>(column: C, row: Pick<SealedRow, 'id' | C>): string {
    const sealed = (row as Partial<SealedRow>)[column];
    if (!sealed) throw new Error(`${this.table.name} has no ${COLUMNS[column]}.`);
    return this.box.open(this.place(column, row.id), sealed);
  }

  /** Runs work that opens values. @throws DeliveryError if one cannot be opened */
  readable<T>(read: () => T): T {
    try {
      return read();
    } catch {
      throw new DeliveryError('The hub cannot decrypt the URL: set it again, or ask the operator about CHANNEL_KEY.');
    }
  }

  /** Deletes former secrets whose time is over. */
  forgetExpired(): Promise<void> {
    return this.table.forget();
  }

  /** Returns the secrets that sign now, the present one first. @throws Error as {@link open} */
  signing(row: SigningRow, now = new Date()): string[] {
    const isFormerValid = row.formerSecret !== null && row.formerUntil !== null && row.formerUntil > now;
    return [this.open('secret', row), ...(isFormerValid ? [this.open('formerSecret', row)] : [])];
  }

  /** Seals a new secret, and keeps the present one as the former, unless it was sealed with a lost key. */
  rotated(row: Pick<SealedRow, 'id' | 'secret'>, secret: string, now = new Date()): Omit<SigningRow, 'id'> {
    const sealed = this.seal('secret', row.id, secret);
    try {
      const former = this.seal('formerSecret', row.id, this.open('secret', row));
      const until = new Date(now.getTime() + FORMER_SECRET_HOURS * 3_600_000);
      return { secret: sealed, formerSecret: former, formerUntil: until };
    } catch {
      return { secret: sealed, formerSecret: null, formerUntil: null };
    }
  }

  private async sealAgain(): Promise<void> {
    for (let after: string | undefined = FIRST; after;) {
      const rows: SealedRow[] = await this.table.read(after, BATCH);
      for (const row of rows) {
        const fresh = {
          url: this.again('url', row),
          secret: this.again('secret', row),
          formerSecret: this.again('formerSecret', row),
        };
        if (fresh.url !== row.url || fresh.secret !== row.secret || fresh.formerSecret !== row.formerSecret)
          await this.table.replace(row, fresh);
      }
      after = rows.at(-1)?.id;
    }
  }

  private again(column: Column, row: SealedRow): Buffer | null {
    const sealed = row[column];
    return sealed && this.box.isOld(sealed) ? this.seal(column, row.id, this.open(column, row)) : sealed;
  }

  private place(column: Column, id: string): string {
    return `${this.table.name}.${COLUMNS[column]}:${id}`;
  }
}
