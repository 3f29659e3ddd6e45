/** `skip`: not looked at, since what it takes was not given. */
export type Status = 'ok' | 'warn' | 'fail' | 'skip';

/** What one look has shown. */
export interface Finding {
  /** What was looked at: `dns`, `tls`, `redis`, … */
  check: string;
  status: Status;
  /** One line: what was found. */
  detail: string;
  /** What to do about it. */
  advice?: string;
}

/** Makes the findings of one check. */
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
