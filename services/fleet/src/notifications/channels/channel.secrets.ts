import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import { SecretBox } from '@warren/platform/secrets/secret.box';
import { DataSource } from 'typeorm';
import { replaceSealed, sealedChannels, type ChannelRow } from './channels.sql.ts';

const BATCH = 200;
const FIRST = '00000000-0000-0000-0000-000000000000';

type Column = 'url' | 'secret';

/** Encrypts what is secret of channels. After a change of the key it encrypts them with the present one at the start. */
@Injectable()
export class ChannelSecrets implements OnApplicationBootstrap {
  private readonly log = new Logger(ChannelSecrets.name);

  constructor(
    private readonly source: DataSource,
    private readonly box: SecretBox,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    if (!this.box.ready) return;
    try {
      await this.sealAgain();
    } catch (error) {
      this.log.error({ err: error }, 'Secrets of channels could not be encrypted with the present key.');
    }
  }

  /** @throws Fault `failed_precondition` without a key */
  seal(column: Column, id: string, text: string): Buffer {
    if (!this.box.ready)
      throw new Fault('failed_precondition', 'the operator has to set CHANNEL_KEY before channels can have URLs.');
    return this.box.seal(place(column, id), text);
  }

  /** @throws Error if it was sealed with another key */
  open(column: Column, row: Pick<ChannelRow, 'id' | Column>): string {
    const sealed = row[column];
    if (!sealed) throw new Error(`The channel has no ${column}.`);
    return this.box.open(place(column, row.id), sealed);
  }

  private async sealAgain(): Promise<void> {
    for (let after: string | undefined = FIRST; after;) {
      const rows = await sealedChannels(this.source, after, BATCH);
      for (const row of rows) {
        const again = (column: Column) => {
          const sealed = row[column];
          return sealed && this.box.isOld(sealed) ? this.seal(column, row.id, this.open(column, row)) : sealed;
        };
        const fresh = { url: again('url'), secret: again('secret') };
        if (fresh.url !== row.url || fresh.secret !== row.secret) await replaceSealed(this.source, row, fresh);
      }
      after = rows.at(-1)?.id;
    }
  }
}

const place = (column: Column, id: string) => `notification_channels.${column}:${id}`;
