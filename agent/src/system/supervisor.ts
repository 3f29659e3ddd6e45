import { execFile } from 'node:child_process';
import type { Logger } from 'pino';

const TIMEOUT_MS = 5_000;

/** What systemd told the service about itself (sd_notify(3), sd_watchdog_enabled(3)). */
export interface SupervisorEnvironment {
  NOTIFY_SOCKET?: string;
  WATCHDOG_USEC?: string;
}

/**
 * Tells systemd how the agent is: that it is up, in words how its link is, and again and again that it is not stuck. The socket for
 * that is of a kind that Node does not have, so systemd's own program speaks for us.
 */
export class Supervisor {
  readonly #told: boolean;
  readonly #log: Logger;
  readonly #alive: number;
  #timer: NodeJS.Timeout | undefined;

  constructor(env: SupervisorEnvironment, log: Logger) {
    this.#told = Boolean(env.NOTIFY_SOCKET);
    this.#log = log;
    // Twice in the time that systemd waits for it.
    this.#alive = Number(env.WATCHDOG_USEC ?? 0) / 2_000;
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
    execFile('systemd-notify', [state], { timeout: TIMEOUT_MS }, (error) => {
      if (error) this.#log.warn({ err: error, state }, 'systemd could not be told');
    });
  }
}
