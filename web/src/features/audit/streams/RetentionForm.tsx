import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { auditApi } from '../../../lib/api/audit.ts';
import { auditStreams as text } from '../../../lib/messages/audit-streams.ts';
import { failed, succeeded } from '../../../lib/toast.ts';
import { Failure } from '../../../ui/Failure.tsx';
import classes from './streams.module.css';

const RETENTION = { min: 1, max: 120 };

/** How long the events of an account are kept. */
export function RetentionForm({ account }: { account: string }) {
  const { currentData, error, refetch } = auditApi.useGetAuditRetentionQuery({ account });
  return (
    <section aria-label={text.retention}>
      <h2 className={classes.section}>{text.retention}</h2>
      <p className={classes.lead}>{text.retentionText}</p>
      {error && !currentData ? <Failure title={text.retentionFailed} error={error} retry={refetch} /> : null}
      {currentData ? <Months key={`${account} ${currentData.months}`} account={account} {...currentData} /> : null}
    </section>
  );
}

interface MonthsProps {
  account: string;
  months: number | null;
  defaultMonths: number;
}

function Months({ account, months, defaultMonths }: MonthsProps) {
  const [save, { isLoading }] = auditApi.useSetAuditRetentionMutation();
  const [typed, setTyped] = useState(months === null ? '' : String(months));
  const wanted = typed.trim() === '' ? null : Number(typed);
  const isWrong = wanted !== null && !(Number.isInteger(wanted) && wanted >= RETENTION.min && wanted <= RETENTION.max);
  const kept = wanted ?? defaultMonths;
  const isShorter = !isWrong && kept < (months ?? defaultMonths);
  const submit = () =>
    void save({ setAuditRetention: { account, months: wanted } })
      .unwrap()
      .then(
        () => succeeded(text.retentionSaved, isShorter ? text.shorter(kept) : ''),
        (error: unknown) => failed(error),
      );
  return (
    <form
      className={classes.retention}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isWrong) submit();
      }}
    >
      <TextInput
        label={text.months}
        description={isShorter ? text.shorter(kept) : text.monthsHint(defaultMonths)}
        inputMode="numeric"
        autoComplete="off"
        value={typed}
        error={isWrong ? text.monthsWrong : undefined}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <Button type="submit" variant="default" loading={isLoading} disabled={isWrong || wanted === months}>
        {text.save}
      </Button>
    </form>
  );
}
