import { Injectable } from '@nestjs/common';
import { SealedColumns } from '@warren/platform/secrets/sealed.columns';
import { SecretBox } from '@warren/platform/secrets/secret.box';
import { DataSource } from 'typeorm';
import { forgetFormerSecrets, replaceSealed, sealedChannels } from './channels.sql.ts';

/** Encrypts what is secret of channels. */
@Injectable()
export class ChannelSecrets extends SealedColumns {
  constructor(source: DataSource, box: SecretBox) {
    super(box, {
      name: 'notification_channels',
      withoutKey: 'the operator has to set CHANNEL_KEY before channels can have URLs.',
      notAgain: 'Secrets of channels could not be encrypted with the present key.',
      read: (after, limit) => sealedChannels(source, after, limit),
      replace: (former, fresh) => replaceSealed(source, former, fresh),
      forget: () => forgetFormerSecrets(source),
    });
  }
}
