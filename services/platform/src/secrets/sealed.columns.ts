import { Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { Fault } from '../errors/fault.ts';
import type { SecretBox } from './secret.box.ts';

const BATCH = 200;
const FIRST = '00000000-0000-0000-0000-000000000000';

type Column = 'url' | 'secret';

/** A row with encrypted values. */
export interface SealedRow {
  id: string;
  url: Buffer | null;
  secret: Buffer | null;
}

interface SealedTable {
  /** What a value is bound to, with its column and row. */
  name: string;
  /** Says what needs CHANNEL_KEY, for people and for the log. */
  withoutKey: string;
  notAgain: string;
  /** Reads the rows after an id, in the order of ids. */
  read(after: string, limit: number): Promise<SealedRow[]>;
  /** Replaces the values of a row, unless they have changed. */
  replace(former: SealedRow, fresh: Pick<SealedRow, Column>): Promise<void>;
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
    if (!sealed) throw new Error(`${this.table.name} has no ${column}.`);
    return this.box.open(this.place(column, row.id), sealed);
  }

  private async sealAgain(): Promise<void> {
    for (let after: string | undefined = FIRST; after;) {
      const rows: SealedRow[] = await this.table.read(after, BATCH);
      for (const row of rows) {
        const fresh = { url: this.again('url', row), secret: this.again('secret', row) };
        if (fresh.url !== row.url || fresh.secret !== row.secret) await this.table.replace(row, fresh);
      }
      after = rows.at(-1)?.id;
    }
  }

  private again(column: Column, row: SealedRow): Buffer | null {
    const sealed = row[column];
    return sealed && this.box.isOld(sealed) ? this.seal(column, row.id, this.open(column, row)) : sealed;
  }

  private place(column: Column, id: string): string {
    return `${this.table.name}.${column}:${id}`;
  }
}
