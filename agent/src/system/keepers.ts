import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { helperShells } from './helper.pty.ts';
import { KEEPER_NOTE, keepRequest, type KeeperState } from './keeper.frames.ts';
import { KeeperPty } from './keeper.pty.ts';
import { systemLang } from './login.ts';
import type { NewPty, OpenPty, Pty, PtyCommand } from './pty.ts';

const SOCKET = /^([0-9a-f-]{36})\.sock$/;
/** The longest path of a socket (unix(7)), and of a socket's name in its folder. */
const PATH_MAX = 107;
const NAME_MAX = 42;
/** A keeper answers at once; one that hangs must not keep the agent from its hub. */
const RESTORE_MS = 5_000;

/** A terminal that a keeper holds. */
export interface Held extends KeeperState {
  id: string;
}

/** Settings of keepers. */
export interface KeeperSettings {
  /** Folder of the keepers' sockets. */
  folder: string;
  /** Milliseconds without an agent after which a terminal ends. */
  orphan: number;
  log: Logger;
}

/** Finds the helper beside the bundle of a package. */
export function packagedHelper(): string | undefined {
  const path = fileURLToPath(new URL('./helper', import.meta.url));
  return existsSync(path) ? path : undefined;
}

/**
 * Makes a function that opens login shells through the helper, which keeps each in a separate systemd unit.
 * @param socket path of the socket that starts a helper for each connection
 * @param lang language of the shells, the system's when undefined
 */
export function keptShells(socket: string, lang: string | undefined, { orphan, log }: KeeperSettings): OpenPty {
  const unkept = helperShells(socket, lang, log);
  return (terminal) => {
    const connection = connect(socket);
    connection.write(requestFor(terminal, orphan, lang));
    return new KeeperPty({ socket: connection, otherwise: () => unkept(terminal), log });
  };
}

/**
 * Makes a function that starts commands under keepers of this user, where no systemd does.
 * @param helper path of the program
 * @returns undefined if the path of the folder is too long for sockets
 */
export function ownKeepers(
  helper: string,
  { folder, orphan, log }: KeeperSettings,
): ((command: PtyCommand, terminal: NewPty) => Pty) | undefined {
  if (Buffer.byteLength(folder) + NAME_MAX > PATH_MAX) return undefined;
  return ({ file, args, env, cwd }, terminal) => {
    // Another session, so that it outlives the agent.
    const child = spawn(helper, ['keep', folder, file, file, ...args], {
      env,
      cwd,
      detached: true,
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    });
    child.unref();
    const socket = child.stdio[3] as Socket;
    child.on('error', (error) => socket.destroy(error));
    socket.write(requestFor(terminal, orphan, undefined));
    return new KeeperPty({ socket, log });
  };
}

function requestFor(terminal: NewPty, orphan: number, lang: string | undefined): Buffer {
  const { id, userEmail, term, size, note } = terminal;
  if (note.length > KEEPER_NOTE) throw new RangeError(`a note of ${note.length} bytes is too long for a keeper`);
  const seconds = Math.ceil(orphan / 1000);
  return keepRequest({ id, size, orphan: seconds, note, term, lang: lang ?? systemLang(), userEmail });
}

/**
 * Attaches to the terminals that earlier agents have left.
 * @param patience milliseconds to wait for their output; what is late comes afterwards
 * @param adopt takes each before its output arrives; returns the offset up to which it has the output
 */
export async function restoreKept(
  { folder, log, patience = RESTORE_MS }: Pick<KeeperSettings, 'folder' | 'log'> & { patience?: number },
  adopt: (held: Held, pty: Pty) => () => number,
): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  await Promise.all(
    names.map(async (name) => {
      const [, id] = SOCKET.exec(name) ?? [];
      if (id === undefined) return;
      const problem = await restore({ path: join(folder, name), id, log, patience }, adopt).catch(
        (error: Error) => error.message,
      );
      if (problem !== undefined) log.warn({ terminal: id, problem }, 'terminal not restored');
    }),
  );
}

/** Settles when the terminal has the output of its keeper, with what went wrong. */
async function restore(
  { path, id, log, patience }: { path: string; id: string; log: Logger; patience: number },
  adopt: (held: Held, pty: Pty) => () => number,
): Promise<string | undefined> {
  const until = performance.now() + patience;
  const socket = connect(path);
  let code: string | undefined;
  socket.on('error', (error: NodeJS.ErrnoException) => (code = error.code));
  let end = Infinity;
  let position = () => 0;
  const pty = new KeeperPty({
    socket,
    log,
    onState: (state) => {
      end = state.end;
      position = adopt({ ...state, id }, pty);
    },
  });
  while (position() < end && !socket.destroyed && performance.now() < until) await wait(1);
  // The output of a busy machine comes later.
  if (end < Infinity && !socket.destroyed) return undefined;
  // What a keeper that was killed has left.
  if (code === 'ECONNREFUSED') await rm(path, { force: true }).catch(() => {});
  if (position() >= end) return undefined;
  socket.destroy();
  return code ?? 'its keeper does not answer';
}
