/** `make images-pin`: writes the digest that the base image's tag has now into the Dockerfile. It is the registry's, for all processors. */
import { readFile, writeFile } from 'node:fs/promises';
import { command } from '@warren/local/command';
import { failure } from '@warren/local/failure';
import { dockerfile } from './places.ts';
import { digestOf, pinned, readBase } from './pinned.ts';

try {
  const text = await readFile(dockerfile, 'utf8');
  const { tag, digest } = readBase(text);
  const now = digestOf(await command('docker', ['pull', tag]), tag);
  await writeFile(dockerfile, pinned(text, now));
  process.stdout.write(
    now === digest ? `${tag} is ${now} still.\n` : `${tag} is ${now} now, it was ${digest ?? 'not pinned'}.\n`,
  );
} catch (error) {
  process.stderr.write(`\n${failure(error)}\n`);
  process.exitCode = 1;
}
