import { keys, recall, remember } from './storage.ts';

/** Whether rows of tables are 32 pixels tall instead of 40, by choice of this browser's user. */
export const areRowsCompact = (): boolean => recall(keys.rows) === 'compact';

/** Applies the chosen height to the style sheets. */
export function showRows(): void {
  document.documentElement.toggleAttribute('data-compact', areRowsCompact());
}

export function chooseRows(compact: boolean): void {
  remember(keys.rows, compact ? 'compact' : null);
  showRows();
}
