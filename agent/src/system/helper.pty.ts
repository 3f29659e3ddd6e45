import { closeSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import type { Logger } from 'pino';
import { loadPtyBinding, type OpenPty, type PtyBinding } from './pty.ts';
import { PtyMaster } from './pty.master.ts';
import { systemLang } from './login.ts';

const SIGKILL = 9;
const PTS = /^\/dev\/pts\/(\d+)$/;
const STARTED = /^started (\d+)$/;
const EXIT = /^exit (\d+) (\d+) (\d+)$/;
const REFUSED = /^refused (.*)$/;

/**
 * Makes a function that opens login shells through the helper, which starts each in a separate systemd unit as the user that root has
 * configured.
 * @param socket path of the socket that starts a helper for each connection
 * @param lang language of the shells, the system's when undefined
 */
export function helperShells(socket: string, lang: string | undefined, log: Logger): OpenPty {
  const binding = loadPtyBinding();
  return ({ userEmail, term, size }) => {
    const { master, slave, pty } = binding.open(size.cols, size.rows);
    const request = `open ${PTS.exec(pty)?.[1]} ${term} ${lang ?? systemLang()} ${userEmail}\n`;
    return new HelperPty(binding, master, { socket, slave, request, log });
  };
}

interface Opening {
  socket: string;
  /** The program's end of the terminal, held open until the program has it. */
  slave: number;
  request: string;
  log: Logger;
}

/** A login shell that the helper has started on the agent's terminal. */
class HelperPty extends PtyMaster {
  pid = 0;
  private readonly helper: Socket;
  private readonly log: Logger;
  private slave: number | undefined;

  constructor(binding: PtyBinding, fd: number, { socket, slave, request, log }: Opening) {
    super(binding, fd);
    this.slave = slave;
    this.log = log;
    this.helper = connect(socket);
    this.helper.write(request);
    let problem = 'the service that opens terminals ended';
    this.helper.on('error', (error) => {
      problem = `the service that opens terminals can't be reached: ${error.message}`;
    });
    createInterface({ input: this.helper })
      .on('line', (line) => this.onLine(line))
      // The socket reports its own errors.
      .on('error', () => {});
    this.helper.on('close', () => this.ended(1, 0, problem));
  }

  hangUp(): void {
    if (this.exit || this.helper.writableEnded) return;
    this.helper.end('hangup\n');
    // Output of a paused program would hide its exit.
    this.resume();
  }

  private onLine(line: string): void {
    const [, pid] = STARTED.exec(line) ?? [];
    if (pid !== undefined) {
      this.pid = Number(pid);
      return this.releaseSlave();
    }
    const [, why] = REFUSED.exec(line) ?? [];
    if (why !== undefined) return this.ended(1, 0, why);
    const [, code, signal, kills] = EXIT.exec(line) ?? [];
    if (code === undefined) return this.log.warn({ line }, 'the helper said what is not known');
    const starved = Number(signal) === SIGKILL && Number(kills) > 0;
    this.ended(Number(code), Number(signal), starved ? 'it was ended for want of memory' : undefined);
  }

  private ended(code: number, signal: number, why?: string): void {
    this.releaseSlave();
    if (this.exit) return;
    if (why !== undefined) this.log.warn({ pid: this.pid, code, signal, why }, 'shell ended');
    this.exited({ code, signal, ...(why !== undefined && { why }) });
  }

  private releaseSlave(): void {
    if (this.slave !== undefined) closeSync(this.slave);
    this.slave = undefined;
  }
}
