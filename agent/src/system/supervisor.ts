import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';

/** What systemd wants to hear. */
export interface Supervision {
  /** Microseconds within which it has to hear that the agent is not stuck; 0 if it does not wait for that. */
  watchdog: number;
}

/**
 * Tells systemd how the agent is: that it is up, in words how its link is, and again and again that it is not stuck. The socket for
 * that is of a kind that Node does not have. A helper that runs as long as the agent passes lines on to it, so that a device on which no
 * process can be started does not lose its agent to the watchdog.
 */
export class Supervisor {
  #notifies: boolean;
  readonly #program: string;
  readonly #log: Logger;
  readonly #alive: number;
  #helper: ChildProcess | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** @param supervision undefined when no supervisor listens */
  constructor(supervision: Supervision | undefined, log: Logger, program = packagedHelper()) {
    this.#notifies = supervision !== undefined && existsSync(program);
    this.#program = program;
    this.#log = log;
    // Twice in the time that systemd waits for it.
    this.#alive = (supervision?.watchdog ?? 0) / 2_000;
    if (supervision && !this.#notifies)
      log.warn({ program }, 'systemd is not notified: this installation has no helper');
  }

  /** The agent is up; from now on systemd hears that it is not stuck. */
  ready(): void {
    this.#tell('READY=1');
    if (this.#notifies && this.#alive > 0)
      this.#timer = setInterval(() => this.#tell('WATCHDOG=1'), this.#alive).unref();
  }

  /** One line for `systemctl status`. */
  status(text: string): void {
    this.#tell(`STATUS=${text.replace(/\s+/g, ' ')}`);
  }

  stopping(): void {
    clearInterval(this.#timer);
    this.#tell('STOPPING=1');
    this.#notifies = false;
    const helper = this.#helper;
    this.#helper = undefined;
    helper?.stdin?.end();
  }

  #tell(state: string): void {
    if (!this.#notifies) return;
    this.#helper ??= this.#start();
    this.#helper.stdin?.write(`${state}\n`);
  }

  #start(): ChildProcess {
    const helper = spawn(this.#program, ['notify'], { stdio: ['pipe', 'ignore', 'inherit'] });
    const gone = (error?: Error) => {
      if (this.#helper !== helper) return;
      this.#helper = undefined;
      this.#log.warn({ err: error }, 'could not notify systemd');
    };
    helper.on('error', gone);
    // It ends with its input, and is started again for the next word if it ended before.
    helper.on('exit', () => gone());
    helper.stdin.on('error', () => {});
    helper.unref();
    return helper;
  }
}

function packagedHelper(): string {
  return fileURLToPath(new URL('./helper', import.meta.url));
}
