/**
 * `make release-key`: creates a release key in a file of mode 0600 outside of the checkout, with its public half beside it. Overwrites nothing.
 * `--check`, before anything is built: whether there is a key to sign with.
 */
import { createPrivateKey } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, realpath, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { workspace } from './places.ts';
import { newKey, rawPublicKey, releaseKey } from './sign.ts';

const standard = () => join(process.env['XDG_CONFIG_HOME'] || join(homedir(), '.config'), 'warren/release-key.pem');

/** The nearest folder above that is there, so that no link leads into the checkout. */
async function realFolder(path: string): Promise<string> {
  return existsSync(path) ? realpath(path) : realFolder(dirname(path));
}

async function makeKey(file: string): Promise<void> {
  const inside = !relative(await realpath(workspace), await realFolder(dirname(file))).startsWith('..');
  if (inside) throw new Error(`FILE is ${file}, inside of this checkout: expected a path outside of it`);
  for (const there of [file, `${file}.pub`].filter(existsSync))
    throw new Error(
      `${there} is there already, and is not overwritten: expected another FILE. To change the key: docs/operations/rotate-secrets.md`,
    );
  const pem = newKey();
  const publicKey = rawPublicKey(createPrivateKey(pem));
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(file, pem, { flag: 'wx', mode: 0o600 });
  await writeFile(`${file}.pub`, `${publicKey}\n`, { flag: 'wx', mode: 0o644 });
  process.stdout.write(
    [
      `Release key:  ${file}`,
      `Public half:  ${publicKey}, in ${file}.pub`,
      'Keep a copy offline: without this key no device that was installed with it accepts an update.',
      `Sign with it: export WARREN_RELEASE_KEY='${file}'`,
      '',
    ].join('\n'),
  );
}

try {
  const { values, positionals } = parseArgs({
    options: { check: { type: 'boolean', default: false }, 'throwaway-key': { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  if (values.check) await releaseKey({ throwaway: values['throwaway-key'] });
  else await makeKey(resolve(positionals[0] || standard()));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
