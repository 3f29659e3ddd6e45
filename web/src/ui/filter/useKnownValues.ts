import type { KnownValues } from '@warren/rules/filter/complete';
import { useMemo } from 'react';
import { ALL } from '../../lib/access.ts';
import { deviceActionsApi } from '../../lib/api/device-actions.ts';
import type { Device } from '../../lib/api/types.ts';

/** What a filter may be completed with: the labels of the account, and what the shown devices report. */
export function useKnownValues(account: string, rows: Device[] | undefined, wanted: boolean): KnownValues {
  const { data } = deviceActionsApi.useListLabelsQuery(account === ALL ? {} : { account }, { skip: !wanted });
  return useMemo(
    () => ({
      labels: Object.fromEntries(
        (data?.labels ?? []).map(({ key, values }) => [key, values.map(({ value }) => value)]),
      ),
      fields: {
        os: distinct(rows, ({ os }) => os),
        kernel: distinct(rows, ({ kernel }) => kernel),
        model: distinct(rows, ({ model }) => model),
        agent: distinct(rows, ({ agent_version: version }) => version),
        account: distinct(rows, (device) => device.account.name),
      },
    }),
    [data, rows],
  );
}

function distinct(rows: Device[] | undefined, valueOf: (device: Device) => string | null | undefined): string[] {
  return [...new Set((rows ?? []).map((row) => valueOf(row) ?? ''))].filter((value) => value !== '').sort();
}
