import { commonConfig, databaseConfig, originSchema, redisConfig } from '@warren/platform/config/common';
import { flagSchema, textOf, wholeNumber } from '@warren/platform/config/forms';
import { outboundConfig } from '@warren/platform/config/outbound';
import { z } from 'zod';

/** What signs checkpoints, and the public keys of those that did before. */
export const chainConfig = z.object({
  /** Ed25519 private key: PKCS #8, as PEM or base64. Without it chains are kept unsigned. */
  AUDIT_KEY: z.string().optional(),
  /** Public keys that AUDIT_KEY has replaced, base64 of SPKI, separated by commas. */
  AUDIT_FORMER_KEYS: z.string().optional(),
});
export type ChainConfig = z.output<typeof chainConfig>;

/** Where recordings of sessions are kept, and what applies to accounts without their own settings. */
export const recordingsConfig = z.object({
  /** Folder of recordings. It is created once, in a folder that exists. Without it, and without a bucket, nothing can be recorded. */
  RECORDINGS_FOLDER: z.string().startsWith('/', 'expected an absolute path').optional(),
  /** Bucket of S3, in place of the folder. */
  RECORDINGS_BUCKET: textOf(
    /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/,
    'expected the name of a bucket, such as warren',
  ).optional(),
  /** Before the names of objects: for a bucket that has others, too. */
  RECORDINGS_PREFIX: textOf(/^$|^[\w./-]{1,200}\/$/, 'expected a prefix that ends with a slash, such as hub/').default(
    '',
  ),
  /** A server of S3 other than Amazon's. */
  RECORDINGS_ENDPOINT: z
    .url({ protocol: /^https?$/, error: 'expected https://host, such as https://s3.example.com' })
    .optional(),
  RECORDINGS_REGION: textOf(/^[\w-]{1,64}$/, 'expected a region, such as eu-central-1').default('us-east-1'),
  /** Whether the bucket is a part of the path rather than of the host name. */
  RECORDINGS_PATH_STYLE: flagSchema.default(false),
  /** Without them, the credentials are those of the pod or machine. */
  RECORDINGS_ACCESS_KEY: z.string().min(1).optional(),
  RECORDINGS_SECRET_KEY: z.string().min(1).optional(),
  /** Days that recordings are kept. */
  RECORDINGS_DAYS: wholeNumber(1, 3_650, 90).default(90),
  /** GiB that the recordings of an account take. */
  RECORDINGS_QUOTA_GIB: wholeNumber(1, 1_048_576, 50).default(50),
});

/** Configuration of the audit service, by environment variable. */
export const auditConfig = z.object({
  ...commonConfig.shape,
  ...databaseConfig.shape,
  ...redisConfig.shape,
  ...chainConfig.shape,
  ...outboundConfig.shape,
  /** The hub's public origin: no stream leads to it, and syslog messages carry its host name. */
  HUB_URL: originSchema,
  /** Folder for streams to files, which SuperAdmins create. Without it there are none. */
  AUDIT_STREAM_FOLDER: z.string().startsWith('/', 'expected an absolute path').optional(),
  /** Months that events are kept, besides the present one, for accounts without their own retention. */
  AUDIT_MONTHS: wholeNumber(1, 120, 24).default(24),
  ...recordingsConfig.shape,
});
export type AuditConfig = z.output<typeof auditConfig>;
