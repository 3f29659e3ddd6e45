import type { AuditConfig } from '../../config.ts';
import { FolderStore } from './folder.store.ts';
import type { ObjectStore } from './object.store.ts';
import { S3Store } from './s3.store.ts';

type StoreConfig = Pick<
  AuditConfig,
  | 'RECORDINGS_FOLDER'
  | 'RECORDINGS_BUCKET'
  | 'RECORDINGS_PREFIX'
  | 'RECORDINGS_ENDPOINT'
  | 'RECORDINGS_REGION'
  | 'RECORDINGS_PATH_STYLE'
  | 'RECORDINGS_ACCESS_KEY'
  | 'RECORDINGS_SECRET_KEY'
>;

/** The store that the configuration names; undefined without one. The bucket counts before the folder. */
export function openStore(config: StoreConfig): ObjectStore | undefined {
  if (config.RECORDINGS_BUCKET) return S3Store.of(config, config.RECORDINGS_BUCKET);
  return config.RECORDINGS_FOLDER ? new FolderStore(config.RECORDINGS_FOLDER) : undefined;
}
