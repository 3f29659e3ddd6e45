import { z } from 'zod';
import { parseEnvironment } from '../config.ts';
import { isLoopback } from '../loopback.ts';

const port = z.coerce.number().int().min(1).max(65535);

const schema = z
  .object({
    HOST: z.string().default('127.0.0.1'),
    PORT: port.default(8082),
    SMTP_PORT: port.default(8025),
    MAIL_ANY_ADDRESS: z.enum(['yes', 'no']).default('no'),
  })
  .refine((env) => isLoopback(env.HOST) || env.MAIL_ANY_ADDRESS === 'yes', {
    path: ['HOST'],
    message:
      'the mail catcher shows all mail to anybody, so it listens on loopback only, unless MAIL_ANY_ADDRESS is yes',
  });

/** @throws when a value is wrong */
export function mailConfig(environment: NodeJS.ProcessEnv): z.output<typeof schema> {
  return parseEnvironment(schema, environment);
}
