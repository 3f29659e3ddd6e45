import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProcessSpec } from '@warren/infra/process';
import type { Context } from '../context.ts';
import { isLoopback } from '../loopback.ts';
import { people } from '../people.ts';
import { answers } from '../ready.ts';
import { places, root } from '../settings.ts';

const folder = join(root, 'deploy/local/src');

function spec(context: Context, name: string, script: string, port: number, env: NodeJS.ProcessEnv): ProcessSpec {
  return {
    name,
    command: process.execPath,
    args: [join(folder, script)],
    cwd: folder,
    env: { ...context.environment, PORT: String(port), ...env },
    log: places(context.settings.home).log(name),
    ready: () => answers(`http://127.0.0.1:${port}/healthz`),
  };
}

/** The development sign-in and the mail catcher. */
export async function startCompanions(context: Context): Promise<void> {
  const { home, host, hubUrl, idpUrl, ports } = context.settings;
  const { idp, people: peopleFile, metadata } = places(home);
  await mkdir(idp, { recursive: true, mode: 0o700 });
  await writeFile(peopleFile, JSON.stringify(people, undefined, 2));
  const files = { IDP_DIR: idp, IDP_PEOPLE: peopleFile, IDP_METADATA: metadata };
  const open = { HOST: host, IDP_ANY_ADDRESS: isLoopback(host) ? 'no' : 'yes' };
  await context.processes.start([
    spec(context, 'idp', 'idp/main.ts', ports.idp, { ...files, ...open, IDP_URL: idpUrl, HUB_URL: hubUrl }),
    spec(context, 'mail', 'mail/main.ts', ports.mail, { SMTP_PORT: String(ports.smtp) }),
  ]);
}
