import { execFile } from 'node:child_process';
import type { Logger } from 'pino';

const TIMEOUT_MS = 5_000;

/** What systemd wants to hear. */
export interface Supervision {
  /** Microseconds within which it has to hear that the agent is not stuck; 0 if it does not wait for that. */
  watchdog: number;
}

/**
 * Tells systemd how the agent is: that it is up, in words how its link is, and again and again that it is not stuck. The socket for
 * that is of a kind that Node does not have, so systemd's own program speaks for us.
 */
export class Supervisor {
  readonly #told: boolean;
  readonly #program: string;
  readonly #log: Logger;
  readonly #alive: number;
  #timer: NodeJS.Timeout | undefined;

  /** @param supervision undefined when nobody listens */
  constructor(supervision: Supervision | undefined, log: Logger, program = 'systemd-notify') {
    this.#told = supervision !== undefined;
    this.#program = program;
    this.#log = log;
    // Twice in the time that systemd waits for it.
    this.#alive = (supervision?.watchdog ?? 0) / 2_000;
  }

  /** The agent is up; from now on systemd hears that it is not stuck. */
  ready(): void {
    this.#tell('READY=1');
    if (this.#told && this.#alive > 0) this.#timer = setInterval(() => this.#tell('WATCHDOG=1'), this.#alive).unref();
  }

  /** One line for `systemctl status`. */
  status(text: string): void {
    this.#tell(`STATUS=${text.replace(/\s+/g, ' ')}`);
  }

  stopping(): void {
    clearInterval(this.#timer);
    this.#tell('STOPPING=1');
  }

  #tell(state: string): void {
    if (!this.#told) return;
    execFile(this.#program, [state], { timeout: TIMEOUT_MS }, (error) => {
      if (error) this.#log.warn({ err: error, state }, 'systemd could not be told');
    });
  }
}
