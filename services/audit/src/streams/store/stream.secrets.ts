import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import { SecretBox } from '@warren/platform/secrets/secret.box';
import { DataSource } from 'typeorm';
import { replaceSealed, sealedStreams, type StreamRow } from './streams.sql.ts';

const BATCH = 200;
const FIRST = '00000000-0000-0000-0000-000000000000';

type Column = 'url' | 'secret';

/** Encrypts what is secret of streams. After a change of the key it encrypts them with the present one at the start. */
@Injectable()
export class StreamSecrets implements OnApplicationBootstrap {
  private readonly log = new Logger(StreamSecrets.name);

  constructor(
    private readonly source: DataSource,
    private readonly box: SecretBox,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    if (!this.box.ready) return;
    try {
      await this.sealAgain();
    } catch (error) {
      this.log.error({ err: error }, 'Secrets of audit streams could not be encrypted with the present key.');
    }
  }

  /** @throws Fault `failed_precondition` without a key */
  seal(column: Column, id: string, text: string): Buffer {
    if (!this.box.ready)
      throw new Fault(
        'failed_precondition',
        'the operator has to set CHANNEL_KEY for the audit service before there can be streams.',
      );
    return this.box.seal(place(column, id), text);
  }

  /** @throws Error if it was sealed with another key */
  open(column: Column, row: Pick<StreamRow, 'id' | Column>): string {
    const sealed = row[column];
    if (!sealed) throw new Error(`The stream has no ${column}.`);
    return this.box.open(place(column, row.id), sealed);
  }

  private async sealAgain(): Promise<void> {
    for (let after: string | undefined = FIRST; after;) {
      const rows: Pick<StreamRow, 'id' | Column>[] = await sealedStreams(this.source, after, BATCH);
      for (const row of rows) {
        const again = (column: Column) => this.seal(column, row.id, this.open(column, row));
        const url = this.box.isOld(row.url) ? again('url') : row.url;
        const secret = row.secret && this.box.isOld(row.secret) ? again('secret') : row.secret;
        if (url !== row.url || secret !== row.secret) await replaceSealed(this.source, row, { url, secret });
      }
      after = rows.at(-1)?.id;
    }
  }
}

const place = (column: Column, id: string) => `streams.${column}:${id}`;
