import { access, constants, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { readIfThere, readText, writeAtomically, type FileOwner } from '../system/files.ts';

/** The launcher's file of network settings in shell syntax; an address may contain a password. */
const NETWORK = 'network.env';
const SHELL_USER = 'shell-user';
const NAME = 'name';
const PROXY_VARIABLES = ['HTTPS_PROXY', 'HTTP_PROXY'];
const PRIVATE = 0o600;
const READABLE = 0o644;

/** A setting before a change; undefined if it was unset. */
type Former = string | undefined;

/**
 * Stores the agent's proxy; the other settings of the file stay.
 * @param proxy undefined removes it
 */
export async function writeProxy(program: string, proxy: string | undefined): Promise<Former> {
  const path = join(program, NETWORK);
  const text = (await readIfThere(path)) ?? '';
  const others = text.split('\n').filter((line) => line !== '' && !isOf(line, PROXY_VARIABLES));
  const own =
    proxy === undefined ? [] : PROXY_VARIABLES.flatMap((name) => [`${name}=${quoted(proxy)}`, `export ${name}`]);
  await rewrite(path, [...others, ...own].map((line) => `${line}\n`).join(''), PRIVATE);
  return proxyIn(text);
}

/** Stores the user whose login shells open; only root writes it, and `setup.sh` reads it before each start. */
export async function writeShellUser(program: string, user: string): Promise<Former> {
  return writeLine(join(program, SHELL_USER), user);
}

/** Stores the name that the agent reports to the hub; without one it reports the host name. */
export async function writeName(program: string, name: string | undefined): Promise<Former> {
  return writeLine(join(program, NAME), name ?? '');
}

/** The configured name of this device, or undefined. */
export async function readName(program: string): Promise<string | undefined> {
  return (await readText(join(program, NAME))).trim() || undefined;
}

/** The file with the network's settings, if it exists and this user can't read it. */
export async function hiddenSettings(program: string): Promise<string | undefined> {
  const path = join(program, NETWORK);
  const { size } = await stat(path).catch(() => ({ size: 0 }));
  if (size === 0) return undefined;
  return access(path, constants.R_OK).then(
    () => undefined,
    () => path,
  );
}

async function writeLine(path: string, line: string): Promise<Former> {
  const former = (await readIfThere(path))?.trim();
  await rewrite(path, `${line}\n`, READABLE);
  return former || undefined;
}

/** Keeps the owner and the mode of the former file. */
async function rewrite(path: string, text: string, mode: number): Promise<void> {
  const former: (FileOwner & { mode: number }) | undefined = await stat(path).catch(() => undefined);
  await writeAtomically(path, text, former ? former.mode & 0o777 : mode, former);
}

function isOf(line: string, names: string[]): boolean {
  return names.some((name) => line.startsWith(`${name}=`) || line === `export ${name}`);
}

function proxyIn(text: string): string | undefined {
  const [, value] = /^HTTPS?_PROXY='(.*)'$/m.exec(text) ?? [];
  return value?.replaceAll("'\\''", "'");
}

/** Quotes a value for the shell (POSIX, 2.2.2). */
const quoted = (value: string) => `'${value.replaceAll("'", "'\\''")}'`;
