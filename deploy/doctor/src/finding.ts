/** `skip`: not checked, as its settings are missing. */
export type Status = 'ok' | 'warn' | 'fail' | 'skip';

/** The result of a check. */
export interface Finding {
  /** The subject: `dns`, `tls`, `redis`, … */
  check: string;
  status: Status;
  /** The result in one line. */
  detail: string;
  /** What to do about it. */
  advice?: string;
}

/** Creates the findings of a check. */
export function findings(check: string) {
  const make = (status: Status) => (detail: string, advice?: string) => {
    const finding: Finding = { check, status, detail };
    return advice === undefined ? finding : { ...finding, advice };
  };
  return {
    ok: make('ok') as (detail: string) => Finding,
    warn: make('warn') as (detail: string, advice: string) => Finding,
    fail: make('fail') as (detail: string, advice: string) => Finding,
    skip: make('skip') as (detail: string, advice: string) => Finding,
  };
}

export const reason = (error: unknown) => {
  if (error instanceof AggregateError) return (error.errors as Error[]).map(({ message }) => message).join(', ');
  return error instanceof Error ? error.message.split('\n', 1)[0] || error.name : String(error);
};
