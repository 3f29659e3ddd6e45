import { Alert, Button, Group, NumberInput, SegmentedControl, Stack, Text } from '@mantine/core';
import { byteUnit, fitsQuota, QUOTAS } from '@warren/rules/quotas';
import { useState } from 'react';
import type { FormEvent } from 'react';
import { errorText } from '../../lib/api/errors.ts';
import type { Quota } from '../../lib/api/types.ts';
import { quotasApi } from '../../lib/api/quotas.ts';
import { limits as text } from '../../lib/messages/limits.ts';
import { messages } from '../../lib/messages.ts';
import { number } from '../../lib/numbers.ts';
import { succeeded } from '../../lib/toast.ts';

type Kind = 'default' | 'number' | 'unlimited';

interface FormProps {
  account: string;
  quota: Quota;
  onClose: () => void;
}

/** Sets one limit of an account. */
export function QuotaForm({ account, quota, onClose }: FormProps) {
  const [save, state] = quotasApi.useSetQuotasMutation();
  const [kind, setKind] = useState<Kind>(kindOf(quota));
  const [typed, setTyped] = useState<string | number>(
    quota.limit ?? quota.default ?? QUOTAS[quota.name].standard ?? '',
  );
  const { label, min, max } = QUOTAS[quota.name];
  const unit = byteUnit(quota.name)?.unit;
  const limit = typeof typed === 'number' ? typed : Number.NaN;
  const wrong = kind === 'number' && !fitsQuota(quota.name, limit);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (wrong) return;
    const answer = await save({ id: account, setQuotas: { [quota.name]: kind === 'number' ? limit : kind } });
    if (answer.error) return;
    onClose();
    succeeded(text.saved, text.savedDetail);
  };
  return (
    <form noValidate onSubmit={(event) => void submit(event)}>
      <Stack gap="sm" mt="xs">
        {state.error ? (
          <Alert color="red" variant="light" role="alert">
            {errorText(state.error, text.saveFailed)}
          </Alert>
        ) : null}
        <SegmentedControl
          aria-label={text.kind(label)}
          value={kind}
          onChange={(value) => setKind(value as Kind)}
          style={{ alignSelf: 'flex-start' }}
          data={[
            {
              value: 'default',
              label: text.useDefault(quota.default === null ? text.unlimited : number(quota.default)),
            },
            { value: 'number', label: text.useNumber },
            { value: 'unlimited', label: text.useUnlimited },
          ]}
        />
        {kind === 'number' ? (
          <NumberInput
            data-autofocus
            label={text.amount}
            suffix={unit ? ` ${unit}` : undefined}
            w={200}
            allowDecimal={false}
            allowNegative={false}
            thousandSeparator
            value={typed}
            onChange={setTyped}
            error={wrong ? text.wrong(min, max) : undefined}
          />
        ) : null}
        {kind === 'number' && !wrong ? <Below quota={quota} limit={limit} /> : null}
        <Group gap="xs">
          <Button type="submit" disabled={wrong} loading={state.isLoading}>
            {text.save}
          </Button>
          <Button variant="default" onClick={onClose}>
            {messages.common.cancel}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** The effect of a limit below the current use. */
function Below({ quota: { name, used }, limit }: { quota: Quota; limit: number }) {
  if (used === null || limit >= used) return null;
  return <Text c="dimmed">{byteUnit(name) ? text.usedUp : text.below(used)}</Text>;
}

function kindOf({ source, limit }: Quota): Kind {
  if (source === 'default') return 'default';
  return limit === null ? 'unlimited' : 'number';
}
