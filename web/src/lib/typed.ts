const fields = new Set<HTMLInputElement | HTMLTextAreaElement>();

/** What is typed there is kept elsewhere: a search in the address, a terminal's line on the device. */
const KEPT = '[type=search], .xterm *';

/** Remembers which fields of the page have been typed into. */
export function watchTyping(): void {
  window.addEventListener('input', ({ target }) => {
    for (const field of fields) if (!field.isConnected) fields.delete(field);
    if (!(target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement)) return;
    if (!target.matches(KEPT)) fields.add(target);
  });
}

/** Whether a form or a terminal holds something that was typed and not sent. */
export const hasUnsent = (): boolean => document.querySelector('[data-unsent]') !== null;

/** Whether something typed would be lost with the screen: not sent yet, or on its way and perhaps refused. */
export const hasUnsaved = (): boolean => document.querySelector('[data-unsent], [data-sending]') !== null;

/** Whether something stands on the page that would be lost with it: in a field, or marked `data-unsent`. */
export function hasTyped(): boolean {
  if (hasUnsent()) return true;
  return [...fields].some((field) => field.isConnected && field.value !== '');
}
