import { join } from 'node:path';
import * as z from 'zod';
import { EXIT, UserError } from '../errors.ts';
import { readIfThere, writeAtomically } from '../system/files.ts';

const schema = z.object({
  hub: z.url({ protocol: /^https?$/ }),
  account: z.string().min(1),
  account_name: z.string(),
  device_id: z.string().min(1),
  audience: z.string().min(1),
  serial: z.string().min(1),
  /** The user whose login shell opens; absent: the agent's own user. */
  shell_user: z.string().min(1).optional(),
  enrolled_at: z.iso.datetime(),
});

/** Not secret, and needed by `warren-agent status`, which is open to anyone with access to the folder. */
const READABLE = 0o644;

/** The result of the enrolment. It contains no secret. */
export type Enrolment = z.infer<typeof schema>;

/**
 * Reads the enrolment, or undefined when the device is not enrolled.
 * @throws UserError when the file is damaged
 */
export async function readEnrolment(folder: string): Promise<Enrolment | undefined> {
  const path = join(folder, 'device.json');
  const text = await readIfThere(path);
  if (text === undefined) return undefined;
  try {
    return schema.parse(JSON.parse(text));
  } catch (error) {
    const problem = error instanceof z.ZodError ? z.prettifyError(error).replace(/\s+/g, ' ') : 'not JSON';
    throw new UserError(`${path} is damaged: ${problem}`, EXIT.damaged);
  }
}

export async function writeEnrolment(folder: string, enrolment: Enrolment): Promise<void> {
  await writeAtomically(join(folder, 'device.json'), `${JSON.stringify(schema.parse(enrolment), null, 2)}\n`, READABLE);
}
