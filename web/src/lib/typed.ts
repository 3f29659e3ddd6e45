const fields = new Set<HTMLInputElement | HTMLTextAreaElement>();

/** Fields whose input is stored elsewhere: a search in the URL, a terminal's line on the device. */
const KEPT = '[type=search], .xterm *';

/** Records which fields of the page have input. */
export function watchTyping(): void {
  window.addEventListener('input', ({ target }) => {
    for (const field of fields) if (!field.isConnected) fields.delete(field);
    if (!(target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement)) return;
    if (!target.matches(KEPT)) fields.add(target);
  });
}

/** Tells whether a form or a terminal has unsent input. */
export const hasUnsent = (): boolean => document.querySelector('[data-unsent]') !== null;

/** Tells whether input would be lost with the screen: unsent, or in flight and maybe refused. */
export const hasUnsaved = (): boolean => document.querySelector('[data-unsent], [data-sending]') !== null;

/** Tells whether input would be lost with the page: in a field, or marked `data-unsent`. */
export function hasTyped(): boolean {
  if (hasUnsent()) return true;
  return [...fields].some((field) => field.isConnected && field.value !== '');
}
