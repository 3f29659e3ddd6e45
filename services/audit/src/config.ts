import { commonConfig, databaseConfig, originSchema } from '@warren/platform/config/common';
import { wholeNumber } from '@warren/platform/config/forms';
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

/** Configuration of the audit service, by environment variable. */
export const auditConfig = z.object({
  ...commonConfig.shape,
  ...databaseConfig.shape,
  ...chainConfig.shape,
  ...outboundConfig.shape,
  /** The hub's public origin: no stream leads to it, and syslog messages carry its host name. */
  HUB_URL: originSchema,
  /** Folder for streams to files, which SuperAdmins create. Without it there are none. */
  AUDIT_STREAM_FOLDER: z.string().startsWith('/', 'expected an absolute path').optional(),
  /** Months that events are kept, besides the present one, for accounts without their own retention. */
  AUDIT_MONTHS: wholeNumber(1, 120, 24).default(24),
});
export type AuditConfig = z.output<typeof auditConfig>;
