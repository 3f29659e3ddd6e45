import type { AuditConfig } from '../../config.ts';
import { FolderStore } from './folder.store.ts';
import type { ObjectStore } from './object.store.ts';
import { S3Store, type S3Settings } from './s3.store.ts';

type StoreConfig = S3Settings & Pick<AuditConfig, 'RECORDINGS_FOLDER' | 'RECORDINGS_BUCKET'>;

/** The store that the configuration names; undefined without one. The bucket counts before the folder. */
export function openStore(config: StoreConfig): ObjectStore | undefined {
  if (config.RECORDINGS_BUCKET) return S3Store.of(config, config.RECORDINGS_BUCKET);
  return config.RECORDINGS_FOLDER ? new FolderStore(config.RECORDINGS_FOLDER) : undefined;
}
