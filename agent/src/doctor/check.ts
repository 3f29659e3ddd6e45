/** What the doctor examines, in the order of the way to the hub. */
export const CHECKS = ['name', 'address', 'TCP', 'proxy', 'TLS', 'clock', 'MTU', 'upgrade', 'key'] as const;
export type CheckName = (typeof CHECKS)[number];

/** What one step of the way to the hub showed. */
export interface Check {
  step: CheckName;
  /** `skipped` is what could not be tried, or is not needed on this device; that fails nothing. */
  result: 'ok' | 'failed' | 'skipped';
  /** Milliseconds that it took. */
  ms?: number | undefined;
  detail: string;
  /** What to do, in one sentence, when it failed. */
  advice?: string | undefined;
}

export const skipped = (step: CheckName, detail: string): Check => ({ step, result: 'skipped', detail });

export const ok = (step: CheckName, ms: number | undefined, detail: string): Check => ({
  ...{ step, result: 'ok', detail },
  ms: rounded(ms),
});

export const failed = (step: CheckName, ms: number | undefined, detail: string, advice: string): Check => ({
  ...{ step, result: 'failed', detail, advice },
  ms: rounded(ms),
});

const rounded = (ms: number | undefined) => (ms === undefined ? undefined : Math.round(ms));
