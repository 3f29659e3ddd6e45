/** The checks, in the order of the way to the hub. */
export const CHECKS = ['name', 'address', 'TCP', 'proxy', 'TLS', 'clock', 'MTU', 'upgrade', 'key'] as const;
export type CheckName = (typeof CHECKS)[number];

/** The result of one check. */
export interface Check {
  step: CheckName;
  /** `skipped`: not applicable, or not possible after an earlier failure; it fails nothing. */
  result: 'ok' | 'failed' | 'skipped';
  /** Its duration in milliseconds. */
  ms?: number | undefined;
  detail: string;
  /** Advice in one sentence, after a failure. */
  advice?: string | undefined;
}

export const skipped = (step: CheckName, detail: string): Check => ({ step, result: 'skipped', detail });

export const ok = (step: CheckName, ms: number | undefined, detail: string): Check => ({
  step,
  result: 'ok',
  detail,
  ms: rounded(ms),
});

export const failed = (step: CheckName, ms: number | undefined, detail: string, advice: string): Check => ({
  step,
  result: 'failed',
  detail,
  advice,
  ms: rounded(ms),
});

const rounded = (ms: number | undefined) => (ms === undefined ? undefined : Math.round(ms));
