import { useEffect, useMemo, useRef, useState } from 'react';
import type { Device } from '../../lib/api/types.ts';
import { nameOf } from '../../lib/device-access.ts';
import type { RowSelection } from '../../ui/useRowKeys.ts';
import { between } from '../../ui/useRowSelection.ts';

/** Names of devices by their ids. */
type Names = ReadonlyMap<string, string>;

export interface NamedDevice {
  id: string;
  name: string;
}

/** Selected devices: single ones, or all that the list finds. */
export interface DeviceSelection {
  rows: RowSelection<Device>;
  count: number;
  /** All that the list finds are selected, on every page. */
  isAll: boolean;
  ids: string[];
  /** Of selected devices; of those on this page where all are selected. */
  names: string[];
  selectAll: () => void;
  clear: () => void;
}

/**
 * Selects devices of a list. Another list, which `scope` names, starts without a selection; pages of one list share theirs.
 * @param initial what the first list starts with
 */
export function useSelection(
  scope: string,
  rows: Device[] | undefined,
  { total, initial }: { total: number; initial: readonly NamedDevice[] },
): DeviceSelection {
  const [keys, setKeys] = useState<Names>(() => new Map(initial.map(({ id, name }) => [id, name])));
  const [isAll, setAll] = useState(false);
  const [last, setLast] = useState<string>();
  const clear = () => {
    setKeys(new Map());
    setAll(false);
  };
  const former = useRef(scope);
  useEffect(() => {
    if (former.current !== scope) clear();
    former.current = scope;
  }, [scope]);
  const named = useMemo<Names>(() => new Map((rows ?? []).map((row) => [row.id, nameOf(row)])), [rows]);
  const page = useMemo(() => [...named.keys()], [named]);
  const choose = (ids: readonly string[], on: boolean) => {
    const base = new Map(isAll ? named : keys);
    setAll(false);
    for (const id of ids)
      if (on) base.set(id, named.get(id) ?? '');
      else base.delete(id);
    setKeys(base);
  };
  const shown = useMemo(() => new Set(isAll ? page : keys.keys()), [isAll, page, keys]);
  return {
    isAll,
    count: isAll ? total : keys.size,
    ids: [...keys.keys()],
    names: [...(isAll ? named : keys).values()],
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
