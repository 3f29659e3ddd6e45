import { useEffect, useState } from 'react';
import { areSingleKeysOn } from '../lib/single-keys.ts';

/** Targets that handle the key themselves, or that cover the table. */
const OWN_KEYS =
  'input:not([type=checkbox]), textarea, select, [contenteditable=true], .xterm, [role=menu], [role=dialog]';

/** Selected rows, by their keys. */
export interface RowSelection<Row> {
  keys: ReadonlySet<string>;
  nameOf: (row: Row) => string;
  /** @param extend from the row that was selected before */
  toggle: (key: string, extend: boolean) => void;
  togglePage: (on: boolean) => void;
}

interface Rows<Row> {
  rows: Row[] | undefined;
  rowKey: (row: Row) => string;
  selection?: RowSelection<Row> | undefined;
  onOpen?: ((row: Row) => void) | undefined;
  onOpenPage?: ((row: Row) => void) | undefined;
}

/**
 * Steps through the rows of a table by `j` and `k`, selects by `x`, opens by Enter and opens the row's page by `o`, unless single keys are
 * disabled.
 * @returns the key of the current row, if there is one
 */
export function useRowKeys<Row>({ rows, rowKey, selection, onOpen, onOpenPage }: Rows<Row>): string | undefined {
  const [current, setCurrent] = useState<string>();
  useEffect(() => {
    if (!onOpen || !rows) return undefined;
    const step = (by: number) => {
      const keys = rows.map(rowKey);
      const at = current === undefined ? -1 : keys.indexOf(current);
      const next = keys[Math.max(0, Math.min(keys.length - 1, at + by))];
      setCurrent(next);
      document.querySelector(`[data-row-key="${CSS.escape(next ?? '')}"]`)?.scrollIntoView({ block: 'nearest' });
    };
    const act = (key: string): boolean => {
      const row = rows.find((one) => rowKey(one) === current);
      if (key === 'j' || key === 'k') step(key === 'j' ? 1 : -1);
      else if (!row) return false;
      else if (key === 'x' && selection) selection.toggle(rowKey(row), false);
      else if (key === 'Enter') onOpen(row);
      else if (key === 'o' && onOpenPage) onOpenPage(row);
      else if (key === 'Escape') setCurrent(undefined);
      else return false;
      return true;
    };
    const press = (event: KeyboardEvent) => {
      if (isOurs(event) && act(event.key)) event.preventDefault();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [current, onOpen, onOpenPage, rowKey, rows, selection]);
  return current;
}

function isOurs(event: KeyboardEvent): boolean {
  const { target, ctrlKey, metaKey, altKey, isComposing, defaultPrevented } = event;
  if (ctrlKey || metaKey || altKey || isComposing || defaultPrevented || !areSingleKeysOn()) return false;
  if (document.querySelector('[role=dialog]')) return false;
  if (!(target instanceof Element)) return true;
  // A link or a button handles Enter itself.
  if (event.key === 'Enter' && target.closest('a, button')) return false;
  return !target.closest(OWN_KEYS);
}
