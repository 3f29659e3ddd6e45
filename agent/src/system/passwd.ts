import { readFileSync } from 'node:fs';

/** One line of the user database (passwd(5)). */
export interface PasswdEntry {
  name: string;
  uid: number;
  gid: number;
  home: string;
  shell: string;
}

/** Parses passwd(5) lines; lines of another shape are skipped. */
export function parsePasswd(text: string): PasswdEntry[] {
  return text.split('\n').flatMap((line) => {
    const [name, , uid, gid, , home, shell] = line.split(':');
    if (!name || uid === undefined || gid === undefined || home === undefined || shell === undefined) return [];
    if (!/^\d+$/.test(uid) || !/^\d+$/.test(gid)) return [];
    return [{ name, uid: Number(uid), gid: Number(gid), home: home || '/', shell: shell || '/bin/sh' }];
  });
}

/** The local users of this device. */
export function readPasswd(): PasswdEntry[] {
  return parsePasswd(readFileSync('/etc/passwd', 'utf8'));
}
