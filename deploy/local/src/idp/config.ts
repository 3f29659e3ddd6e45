import { z } from 'zod';
import { parseEnvironment } from '../config.ts';
import { isLoopback } from '../loopback.ts';

const schema = z
  .object({
    NODE_ENV: z.string().default('development'),
    HOST: z.string().default('127.0.0.1'),
    PORT: z.coerce.number().int().min(1).max(65535).default(8081),
    IDP_URL: z.url(),
    HUB_URL: z.url(),
    /** Folder of the keys. */
    IDP_DIR: z.string().min(1),
    /** JSON file with the people of the sign-in page. */
    IDP_PEOPLE: z.string().min(1),
    /** File for the metadata, for a hub that starts before this process. */
    IDP_METADATA: z.string().min(1).optional(),
    IDP_ANY_ADDRESS: z.enum(['yes', 'no']).default('no'),
  })
  .refine((env) => env.NODE_ENV !== 'production', {
    path: ['NODE_ENV'],
    message: 'the development sign-in lets anybody in as anybody, so it does not run in production',
  })
  .refine((env) => isLoopback(env.HOST) || env.IDP_ANY_ADDRESS === 'yes', {
    path: ['HOST'],
    message:
      'the development sign-in lets anybody in as anybody, so it listens on loopback only, unless IDP_ANY_ADDRESS is yes',
  });

export type IdpConfig = z.output<typeof schema>;

/** @throws Error for a wrong value, and always in production */
export function idpConfig(environment: NodeJS.ProcessEnv): IdpConfig {
  return parseEnvironment(schema, environment);
}
