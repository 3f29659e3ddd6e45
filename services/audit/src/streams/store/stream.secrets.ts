import { Injectable } from '@nestjs/common';
import { SealedColumns } from '@warren/platform/secrets/sealed.columns';
import { SecretBox } from '@warren/platform/secrets/secret.box';
import { DataSource } from 'typeorm';
import { forgetFormerSecrets, replaceSealed, sealedStreams } from './streams.sql.ts';

/** Encrypts what is secret of streams. */
@Injectable()
export class StreamSecrets extends SealedColumns {
  constructor(source: DataSource, box: SecretBox) {
    super(box, {
      name: 'streams',
      withoutKey: 'the operator has to set CHANNEL_KEY for the audit service before there can be streams.',
      notAgain: 'Secrets of audit streams could not be encrypted with the present key.',
      read: (after, limit) => sealedStreams(source, after, limit),
      replace: (former, fresh) => replaceSealed(source, former, fresh),
      forget: () => forgetFormerSecrets(source),
    });
  }
}
