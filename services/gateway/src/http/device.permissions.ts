import { GRANT_PERMISSIONS } from '@warren/rules/grants';
import { z } from 'zod';

/** Permissions on devices. */
export const permissionSchema = z
  .enum(GRANT_PERMISSIONS)
  .describe('`terminal` includes the journal; `manage` is to reboot and update.');
