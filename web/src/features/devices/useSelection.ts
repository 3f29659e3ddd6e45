import { useEffect, useMemo, useState } from 'react';
import type { Device } from '../../lib/api/types.ts';
import { nameOf } from '../../lib/device-access.ts';
import type { RowSelection } from '../../ui/useRowKeys.ts';
import { between } from '../../ui/useRowSelection.ts';

/** Selected devices: single ones, or all that the list finds. */
export interface DeviceSelection {
  rows: RowSelection<Device>;
  count: number;
  /** All that the list finds are selected, on every page. */
  isAll: boolean;
  ids: string[];
  selectAll: () => void;
  clear: () => void;
}

/**
 * Selects devices of a list. Another list, which `scope` names, starts without a selection; pages of one list share theirs.
 */
export function useSelection(scope: string, rows: Device[] | undefined, total: number): DeviceSelection {
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set());
  const [isAll, setAll] = useState(false);
  const [last, setLast] = useState<string>();
  const clear = () => {
    setKeys(new Set());
    setAll(false);
  };
  useEffect(clear, [scope]);
  const page = useMemo(() => (rows ?? []).map(({ id }) => id), [rows]);
  const choose = (ids: readonly string[], on: boolean) => {
    const base = isAll ? new Set(page) : new Set(keys);
    setAll(false);
    for (const id of ids)
      if (on) base.add(id);
      else base.delete(id);
    setKeys(base);
  };
  const shown = isAll ? new Set(page) : keys;
  return {
    isAll,
    count: isAll ? total : keys.size,
    ids: [...keys],
    selectAll: () => setAll(true),
    clear,
    rows: {
      keys: shown,
      nameOf,
      toggle: (id, extend) => {
        const on = !shown.has(id);
        choose(extend && last !== undefined ? between(page, last, id) : [id], on);
        setLast(id);
      },
      togglePage: (on) => choose(page, on),
    },
  };
}
