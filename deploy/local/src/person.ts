import { lchown, lstat, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Someone with a login on this machine. */
export interface Login {
  name: string;
  uid: number;
  gid: number;
  home: string;
  shell: string;
}

/** A line of /etc/passwd (passwd(5)), undefined if no user has the id. */
export function loginOf(passwd: string, uid: number): Login | undefined {
  const lines = passwd.split('\n').map((line) => line.split(':'));
  const [name, , , gid, , home, shell] = lines.find((fields) => fields[2] === String(uid)) ?? [];
  if (!name) return undefined;
  return { name, uid, gid: Number(gid), home: home ?? '/', shell: shell || '/bin/sh' };
}

async function giveTo(login: Login, path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (!found) return;
  if (found.uid !== login.uid) await lchown(path, login.uid, login.gid);
  if (!found.isDirectory()) return;
  for (const name of await readdir(path)) await giveTo(login, join(path, name));
}

/**
 * Under sudo, drops to the user who ran the command permanently, and gives them the files of an earlier start as root in `home`. Does
 * nothing without sudo.
 */
export async function becomeTypist(home: string, environment: NodeJS.ProcessEnv): Promise<void> {
  const uid = Number(environment['SUDO_UID'] ?? 0);
  if (process.getuid?.() !== 0 || !uid) return;
  const login = loginOf(await readFile('/etc/passwd', 'utf8'), uid);
  if (!login) throw new Error(`SUDO_UID: this system has no user ${uid}`);
  await giveTo(login, home);
  // Exists in Node, but not in its types.
  (process as { initgroups?(user: string, group: number): void }).initgroups?.(login.name, login.gid);
  process.setgid?.(login.gid);
  process.setuid?.(login.uid);
  Object.assign(environment, { HOME: login.home, USER: login.name, LOGNAME: login.name, SHELL: login.shell });
}
