import { startS3, type S3Server } from '@warren/infra/s3';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Where backups are copied to. */
export class S3 {
  private constructor(private readonly server: S3Server) {}

  static async start(): Promise<S3> {
    return new S3(await startS3('warren-backups'));
  }

  /** What the bucket holds, as files. */
  get folder(): string {
    return this.server.folder;
  }

  /** The settings of backup.sh for it. */
  get settings(): NodeJS.ProcessEnv {
    const { url, bucket, accessKey, secretKey } = this.server;
    return {
      WARREN_BACKUP_S3_ENDPOINT: url,
      WARREN_BACKUP_S3_BUCKET: bucket,
      WARREN_BACKUP_S3_ACCESS_KEY_ID: accessKey,
      WARREN_BACKUP_S3_SECRET_ACCESS_KEY: secretKey,
    };
  }

  stop(): Promise<void> {
    return this.server.stop();
  }

  /** The names below a prefix, sorted. */
  async names(prefix = ''): Promise<string[]> {
    // A prefix with nothing below it is no folder.
    const names = await readdir(join(this.folder, prefix)).catch(() => []);
    return names.filter((name) => !name.startsWith('.')).sort();
  }
}
