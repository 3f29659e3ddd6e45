import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';

/** The supervision that systemd requests. */
export interface Supervision {
  /** The watchdog's timeout in microseconds; 0 without a watchdog. */
  watchdog: number;
}

/**
 * Notifies systemd: readiness, the state of the link in words, and the watchdog. Node has no support for that kind of socket. A helper
 * that runs as long as the agent passes the lines on, so that a device on which no process can be started does not lose its agent to the
 * watchdog.
 */
export class Supervisor {
  private notifies: boolean;
  private readonly program: string;
  private readonly log: Logger;
  private readonly alive: number;
  private helper: ChildProcess | undefined;
  private timer: NodeJS.Timeout | undefined;

  /** @param supervision undefined when no supervisor listens */
  constructor(supervision: Supervision | undefined, log: Logger, program = packagedHelper()) {
    this.notifies = supervision !== undefined && existsSync(program);
    this.program = program;
    this.log = log;
    // Twice per watchdog timeout.
    this.alive = (supervision?.watchdog ?? 0) / 2_000;
    if (supervision && !this.notifies)
      log.warn({ program }, 'systemd is not notified: this installation has no helper');
  }

  /** Reports readiness; from now on, the watchdog is notified. */
  ready(): void {
    this.tell('READY=1');
    if (this.notifies && this.alive > 0) this.timer = setInterval(() => this.tell('WATCHDOG=1'), this.alive).unref();
  }

  /** One line for `systemctl status`. */
  status(text: string): void {
    this.tell(`STATUS=${text.replace(/\s+/g, ' ')}`);
  }

  stopping(): void {
    clearInterval(this.timer);
    this.tell('STOPPING=1');
    this.notifies = false;
    const helper = this.helper;
    this.helper = undefined;
    helper?.stdin?.end();
  }

  private tell(state: string): void {
    if (!this.notifies) return;
    this.helper ??= this.start();
    this.helper.stdin?.write(`${state}\n`);
  }

  private start(): ChildProcess {
    const helper = spawn(this.program, ['notify'], { stdio: ['pipe', 'ignore', 'inherit'] });
    const gone = (error?: Error) => {
      if (this.helper !== helper) return;
      this.helper = undefined;
      this.log.warn({ err: error }, 'could not notify systemd');
    };
    helper.on('error', gone);
    // The helper ends with its input, and is restarted for the next notification if it ended before.
    helper.on('exit', () => gone());
    helper.stdin.on('error', () => {});
    helper.unref();
    return helper;
  }
}

function packagedHelper(): string {
  return fileURLToPath(new URL('./helper', import.meta.url));
}
