import type { KnownValues } from '@warren/rules/filter/complete';
import type { Filter } from '@warren/rules/filter/filter';
import { parseFilter } from '@warren/rules/filter/parse';
import { useMemo } from 'react';
import { ALL } from '../../lib/access.ts';
import { deviceActionsApi } from '../../lib/api/device-actions.ts';
import type { Device } from '../../lib/api/types.ts';

interface Referring {
  wanted: boolean;
  /** Whether a filter can stand there in place of its name. */
  fits?: (filter: Filter) => boolean;
}

const anyFits = () => true;

/** The same where a filter may name saved ones: those of the account that the hub accepts there. */
export function useReferable(account: string, known: KnownValues, { wanted, fits = anyFits }: Referring): KnownValues {
  const { data } = deviceActionsApi.useListSavedFiltersQuery(account === ALL ? {} : { account }, { skip: !wanted });
  return useMemo(
    () => ({
      ...known,
      saved: (data?.filters ?? []).flatMap(({ key, name, filter }) =>
        key !== null && isNameable(filter, fits) ? [{ key, name }] : [],
      ),
    }),
    [data, known, fits],
  );
}

/** A saved filter that is empty or names others can't be named itself. */
function isNameable(text: string, fits: (filter: Filter) => boolean): boolean {
  const parsed = parseFilter(text);
  return text.trim() !== '' && parsed.ok && fits(parsed.filter);
}

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
