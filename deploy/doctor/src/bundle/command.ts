import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Writable } from 'node:stream';
import { Archive } from './archive.ts';
import { readArguments } from './arguments.ts';
import { collect } from './collect.ts';
import { Redactor } from './redact.ts';
import type { Environment } from './settings.ts';

/** Returns a bundle's name with the current time. */
const bundleName = (now = new Date()) => `warren-bundle-${now.toISOString().replaceAll(/[-:]|\.\d+/g, '')}.tar.gz`;

interface Given {
  environment: NodeJS.ProcessEnv;
  services?: Record<string, Environment>;
  stdin: AsyncIterable<Buffer>;
  stdout: Writable;
  stderr: Writable;
}

/**
 * Writes a support bundle, and prints its path to stdout and its content to stderr.
 * @throws UsageError
 */
export async function bundle(flags: string[], { environment, services = {}, stdin, stdout, stderr }: Given) {
  const args = readArguments(flags);
  const path = args.out === '-' ? undefined : resolve(args.out ?? bundleName());
  const part = `${path}.part`;
  const redactor = new Redactor(args);
  const to = path === undefined ? stdout : createWriteStream(part, { mode: 0o600, flags: 'wx' });
  const archive = new Archive(to, redactor, args.limitBytes);
  try {
    await collect({ archive, redactor, args, environment, services, stdin });
  } catch (error) {
    if (path !== undefined && (error as NodeJS.ErrnoException).code !== 'EEXIST') await rm(part, { force: true });
    throw error;
  }
  for (const { name, bytes } of archive.files) stderr.write(`${String(bytes).padStart(10)}  ${name}\n`);
  for (const line of archive.cut) stderr.write(`cut: ${line}\n`);
  if (path === undefined) return;
  await rename(part, path);
  stdout.write(`${path}\n`);
}
