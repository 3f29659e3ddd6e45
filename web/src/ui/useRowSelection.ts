import { useEffect, useMemo, useState } from 'react';
import type { RowSelection } from './useRowKeys.ts';

interface Selecting<Row> {
  /** Names the list: another one starts without a selection. */
  scope: string;
  rows: Row[] | undefined;
  keyOf: (row: Row) => string;
  nameOf: (row: Row) => string;
}

/** Selects single rows of a table. What is no longer shown is no longer selected. */
export function useRowSelection<Row>({ scope, rows, keyOf, nameOf }: Selecting<Row>) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [last, setLast] = useState<string>();
  const clear = () => setChosen(new Set());
  useEffect(clear, [scope]);
  const page = useMemo(() => (rows ?? []).map(keyOf), [rows, keyOf]);
  const ids = page.filter((id) => chosen.has(id));
  const choose = (keys: readonly string[], on: boolean) =>
    setChosen(new Set(on ? [...ids, ...keys] : ids.filter((id) => !keys.includes(id))));
  const selection: RowSelection<Row> = {
    keys: new Set(ids),
    nameOf,
    toggle: (id, extend) => {
      choose(extend && last !== undefined ? between(page, last, id) : [id], !ids.includes(id));
      setLast(id);
    },
    togglePage: (on) => choose(page, on),
  };
  return { rows: selection, ids, clear };
}

/** The keys from one row to another, wherever which of them stands. */
export function between(keys: readonly string[], one: string, other: string): readonly string[] {
  const [from, to] = [keys.indexOf(one), keys.indexOf(other)].sort((a, b) => a - b) as [number, number];
  return from === -1 ? [other] : keys.slice(from, to + 1);
}
