import { Button, Progress, Text } from '@mantine/core';
import { byteUnit, NEARLY_FULL, QUOTAS } from '@warren/rules/quotas';
import { useState } from 'react';
import type { Quota } from '../../lib/api/types.ts';
import { limits as text } from '../../lib/messages/limits.ts';
import { number } from '../../lib/numbers.ts';
import { QuotaForm } from './QuotaForm.tsx';
import classes from './LimitsPage.module.css';

/** One limit of an account, its use, and a control to change it with permission. */
export function QuotaRow({ account, quota, edits }: { account: string; quota: Quota; edits: boolean }) {
  const [editing, setEditing] = useState(false);
  const { label, about } = QUOTAS[quota.name];
  return (
    <li className={classes.row}>
      <div className={classes.head}>
        <h2>{label}</h2>
        <Numbers quota={quota} />
      </div>
      <Text c="dimmed">{about}</Text>
      <Bar quota={quota} />
      <div className={classes.foot}>
        <Text size="xs" c="dimmed">
          {quota.source === 'own' ? text.own(shown(quota.default)) : text.byDefault}
        </Text>
        {edits && !editing ? (
          <Button size="compact-sm" variant="default" aria-label={text.edit(label)} onClick={() => setEditing(true)}>
            {text.editShort}
          </Button>
        ) : null}
      </div>
      {editing ? <QuotaForm account={account} quota={quota} onClose={() => setEditing(false)} /> : null}
    </li>
  );
}

/** A limit or a default in words. */
const shown = (limit: number | null): string => (limit === null ? text.unlimited : number(limit));

/** The used fraction, 0 to 1 and more; undefined without a limit, or if the use is unknown. */
function fullness({ limit, used }: Quota): number | undefined {
  if (limit === null || used === null) return undefined;
  return limit === 0 ? 1 : used / limit;
}

function Numbers({ quota }: { quota: Quota }) {
  const { limit, used } = quota;
  const unit = byteUnit(quota.name)?.unit;
  const full = fullness(quota) ?? 0;
  const state = full >= 1 ? text.full : full >= NEARLY_FULL ? text.nearlyFull : undefined;
  return (
    <span className={classes.numbers}>
      {state ? (
        <span className={classes.state} data-full={full >= 1 || undefined}>
          {state}
        </span>
      ) : null}
      {used === null ? (
        <Text span c="dimmed">
          {text.unknown}
        </Text>
      ) : (
        <span className="mono">{limit === null ? text.usedUnlimited(used, unit) : text.used(used, limit, unit)}</span>
      )}
      {limit === null ? <span>{text.unlimited}</span> : null}
    </span>
  );
}

function Bar({ quota }: { quota: Quota }) {
  const full = fullness(quota);
  if (full === undefined) return null;
  const color = full >= 1 ? 'var(--state-bad)' : full >= NEARLY_FULL ? 'var(--state-warn)' : 'var(--accent)';
  return (
    <Progress
      value={Math.min(100, full * 100)}
      color={color}
      size={6}
      radius="xl"
      aria-label={QUOTAS[quota.name].label}
      className={classes.bar}
    />
  );
}
