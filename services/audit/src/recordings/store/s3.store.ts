import {
  DeleteObjectsCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { createHash } from 'node:crypto';
import type { AuditConfig } from '../../config.ts';
import { NAME, requireName, type Listed, type ObjectStore } from './object.store.ts';

const CONNECT_MS = 3_000;
const REQUEST_MS = 12_000;
const ATTEMPTS = 3;
const SOCKETS = 16;
/** Keys of one DeleteObjects. */
const MOST_KEYS = 1_000;

export type S3Settings = Pick<
  AuditConfig,
  | 'RECORDINGS_PREFIX'
  | 'RECORDINGS_ENDPOINT'
  | 'RECORDINGS_REGION'
  | 'RECORDINGS_PATH_STYLE'
  | 'RECORDINGS_ACCESS_KEY'
  | 'RECORDINGS_SECRET_KEY'
>;

/** Keeps objects in a bucket of S3, or of a server that speaks its protocol. */
export class S3Store implements ObjectStore {
  readonly what: string;

  private constructor(
    private readonly client: S3Client,
    private readonly bucket: string,
    private readonly prefix: string,
  ) {
    this.what = `the bucket ${bucket}`;
  }

  /** Without keys, the credentials are those of the environment: the role of a pod or machine. */
  static of(settings: S3Settings, bucket: string): S3Store {
    const { RECORDINGS_ACCESS_KEY: accessKeyId, RECORDINGS_SECRET_KEY: secretAccessKey } = settings;
    const client = new S3Client({
      region: settings.RECORDINGS_REGION,
      forcePathStyle: settings.RECORDINGS_PATH_STYLE,
      maxAttempts: ATTEMPTS,
      // Servers other than Amazon's don't know the newer checksums.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: {
        connectionTimeout: CONNECT_MS,
        requestTimeout: REQUEST_MS,
        throwOnRequestTimeout: true,
        httpAgent: { maxSockets: SOCKETS },
        httpsAgent: { maxSockets: SOCKETS },
      },
      ...(settings.RECORDINGS_ENDPOINT && { endpoint: settings.RECORDINGS_ENDPOINT }),
      ...(accessKeyId && secretAccessKey && { credentials: { accessKeyId, secretAccessKey } }),
    });
    return new S3Store(client, bucket, settings.RECORDINGS_PREFIX);
  }

  /** Creates nothing: a bucket is the operator's. */
  async prepare(): Promise<void> {}

  async put(name: string, content: Buffer, abortSignal: AbortSignal): Promise<void> {
    // The server compares it, so that nothing is stored that was changed on its way.
    const ContentMD5 = createHash('md5').update(content).digest('base64');
    await this.client.send(new PutObjectCommand({ ...this.at(name), Body: content, ContentMD5 }), { abortSignal });
  }

  async get(name: string, limit: number, abortSignal: AbortSignal): Promise<Buffer | undefined> {
    try {
      const { Body: body } = await this.client.send(new GetObjectCommand(this.at(name)), { abortSignal });
      return body && (await bounded(body.transformToWebStream(), limit));
    } catch (error) {
      if (error instanceof NoSuchKey) return undefined;
      throw error;
    }
  }

  async remove(names: readonly string[], abortSignal: AbortSignal): Promise<void> {
    for (let at = 0; at < names.length; at += MOST_KEYS) {
      const Objects = names.slice(at, at + MOST_KEYS).map((name) => ({ Key: this.at(name).Key }));
      const command = new DeleteObjectsCommand({ Bucket: this.bucket, Delete: { Objects, Quiet: true } });
      const { Errors: errors = [] } = await this.client.send(command, { abortSignal });
      if (errors.length > 0) throw new Error(`${errors.length} objects could not be removed: ${errors[0]?.Code ?? ''}`);
    }
  }

  async *list(prefix: string, abortSignal: AbortSignal): AsyncGenerator<Listed> {
    for (let token: string | undefined, more = true; more;) {
      const page = await this.client.send(
        new ListObjectsV2Command({ Bucket: this.bucket, Prefix: `${this.prefix}${prefix}`, ContinuationToken: token }),
        { abortSignal },
      );
      for (const { Key: key = '', LastModified: written } of page.Contents ?? []) {
        const name = key.slice(this.prefix.length);
        if (NAME.test(name) && written) yield { name, writtenAt: written.getTime() };
      }
      token = page.NextContinuationToken;
      more = page.IsTruncated === true && token !== undefined;
    }
  }

  async space(): Promise<undefined> {
    return undefined;
  }

  private at(name: string): { Bucket: string; Key: string } {
    return { Bucket: this.bucket, Key: `${this.prefix}${requireName(name)}` };
  }
}

/** Reads a stream to its end. @throws RangeError for more than `limit` bytes, whatever the server said before */
async function bounded(stream: AsyncIterable<Uint8Array>, limit: number): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of stream) {
    length += part.length;
    if (length > limit) throw new RangeError('an object of a recording is larger than it was written');
    parts.push(part);
  }
  return Buffer.concat(parts, length);
}
