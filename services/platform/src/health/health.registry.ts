import { Injectable } from '@nestjs/common';
import { dependencySeconds, dependencyUp } from '../telemetry/metrics.ts';

const CHECK_TIMEOUT_MS = 2_000;

/** Resolves when a dependency works; rejects with what is wrong. */
export type HealthCheck = () => Promise<void>;

/** What the process depends on. Modules add their own check; `/readyz` runs all of them. */
@Injectable()
export class HealthRegistry {
  private readonly checks = new Map<string, HealthCheck>();

  add(name: string, check: HealthCheck): void {
    this.checks.set(name, check);
  }

  /**
   * Runs every check, each bounded to 2 s, and keeps what came of it as metrics. Never rejects.
   * @param component whose checks they are, for the metrics
   */
  async report(component: string): Promise<{ ready: boolean; checks: Record<string, string> }> {
    const entries = await Promise.all(
      [...this.checks].map(async ([name, check]) => [name, await measured(component, name, check)] as const),
    );
    return { ready: entries.every(([, text]) => text === 'ok'), checks: Object.fromEntries(entries) };
  }
}

async function measured(component: string, dependency: string, check: HealthCheck): Promise<string> {
  const begun = performance.now();
  const text = await outcome(check);
  dependencySeconds.set({ component, dependency }, (performance.now() - begun) / 1_000);
  dependencyUp.set({ component, dependency }, text === 'ok' ? 1 : 0);
  return text;
}

async function outcome(check: HealthCheck): Promise<string> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer in 2 s')), CHECK_TIMEOUT_MS);
  });
  try {
    await Promise.race([check(), late]);
    return 'ok';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    clearTimeout(timer);
  }
}
