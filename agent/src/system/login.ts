import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { TerminalRefused } from '../errors.ts';
import { readPasswd, type PasswdEntry } from './passwd.ts';
import { loadPty } from './forked.pty.ts';
import type { NewPty, OpenPty, Pty, PtyCommand } from './pty.ts';

const DEFAULT_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** Input for the choice of a login command. */
export interface LoginContext {
  /** The user whose shell opens. */
  target: PasswdEntry;
  /** User id of the agent itself. */
  uid: number;
  /** Path of login(1), if this device has it. */
  login: string | undefined;
  /** Path of su(1), if this device has it. */
  su: string | undefined;
  lang: string;
  /** The home of the agent's own user, if it differs from the user database. */
  home?: string | undefined;
}

/**
 * Returns the command that gives `target` a login shell on a terminal.
 * @throws TerminalRefused when the agent may not act for that user, or the user has no login shell
 */
export function loginCommand(context: LoginContext, terminal: { userEmail: string; term: string }): PtyCommand {
  const { uid, login, su, lang } = context;
  const own = context.target.uid === uid;
  const target = own ? { ...context.target, home: context.home ?? context.target.home } : context.target;
  if (/\/(nologin|false)$/.test(target.shell)) {
    throw new TerminalRefused(`user "${target.name}" of this device has no login shell (${target.shell})`);
  }
  const env = {
    HOME: target.home,
    USER: target.name,
    LOGNAME: target.name,
    SHELL: target.shell,
    PATH: DEFAULT_PATH,
    LANG: lang,
    TERM: terminal.term,
    COLORTERM: 'truecolor',
    WARREN_USER: terminal.userEmail,
  };
  if (own) return { file: target.shell, args: ['-l'], env, cwd: target.home };
  if (uid !== 0) {
    throw new TerminalRefused(`the agent does not run as root, so it can't open a shell of user "${target.name}"`);
  }
  // login(1) and su(1) open a proper PAM session: groups, limits, audit.
  if (login) return { file: login, args: ['-p', '-f', target.name], env, cwd: '/' };
  if (su) return { file: su, args: ['-l', '-w', 'WARREN_USER,COLORTERM,LANG', target.name], env, cwd: '/' };
  throw new TerminalRefused('this device has neither login nor su to open a shell of another user');
}

/**
 * Makes a function that opens login shells of `shellUser`, or of the agent's user when it is undefined.
 * `lang` is the language of the shells, the system's when undefined; `home` is the home of the agent's user.
 * Each terminal looks the user up again, so that a changed shell takes effect at once.
 * @param start starts the command; by default as a child that ends with the agent
 */
export function loginShells(
  shellUser: string | undefined,
  lang?: string,
  home?: string,
  start: (command: PtyCommand, terminal: NewPty) => Pty = forked(),
): OpenPty {
  return (terminal) => {
    const { userEmail, term } = terminal;
    const command = loginCommand({ ...readContext(shellUser, lang), home }, { userEmail, term });
    if (!isExecutable(command.file)) throw new TerminalRefused(`"${command.file}" is not a program on this device`);
    return start({ ...command, cwd: existsSync(command.cwd) ? command.cwd : '/' }, terminal);
  };
}

function forked(): (command: PtyCommand, terminal: NewPty) => Pty {
  const spawn = loadPty();
  return (command, { size }) => spawn(command, size);
}

function readContext(shellUser: string | undefined, lang: string | undefined): LoginContext {
  const { uid } = userInfo();
  const find = (...paths: string[]) => paths.find(isExecutable);
  return {
    target: findUser(shellUser, uid),
    uid,
    login: find('/bin/login', '/usr/bin/login'),
    su: find('/bin/su', '/usr/bin/su'),
    lang: lang ?? systemLang(),
  };
}

/** Users of a directory service are missing in the local database; for the agent's own, the system library knows them. */
function findUser(name: string | undefined, uid: number): PasswdEntry {
  const found = readPasswd().find((entry) => (name === undefined ? entry.uid === uid : entry.name === name));
  if (found) return found;
  const own = userInfo();
  if (name === undefined || name === own.username) {
    return { name: own.username, uid: own.uid, gid: own.gid, home: own.homedir, shell: own.shell ?? '/bin/sh' };
  }
  throw new TerminalRefused(`this device has no user "${name}"`);
}

/** The system's language, or a UTF-8 one that every system has. */
export function systemLang(): string {
  for (const file of ['/etc/default/locale', '/etc/locale.conf']) {
    if (!existsSync(file)) continue;
    const lang = /^LANG="?([^"\n]+)"?$/m.exec(readFileSync(file, 'utf8'))?.[1];
    if (lang) return lang;
  }
  return 'C.UTF-8';
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
