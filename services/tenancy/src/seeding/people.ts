import { emailSetting } from '@warren/rules/emails';
import { accountName } from '@warren/rules/names';
import { z } from 'zod';
import { DEFAULT_GROUPS } from '../groups/default-groups.ts';
import { personName } from '../users/person-name.ts';

/** The accounts and users of a seed file. */
export const peopleSchema = z.object({
  accounts: z.array(
    z.object({
      name: accountName,
      /** Whether this is the operator account, under any name. */
      operator: z.boolean().default(false),
      users: z.array(
        z.object({ email: emailSetting, name: z.string().transform(personName), group: z.enum(DEFAULT_GROUPS) }),
      ),
    }),
  ),
});
export type People = z.output<typeof peopleSchema>;
