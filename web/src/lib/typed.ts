const fields = new Set<HTMLInputElement | HTMLTextAreaElement>();

/** What is typed there is kept elsewhere: a search in the address, a terminal's line on the device. */
const KEPT = '[type=search], .xterm *';

/** Remembers which fields of the page somebody has typed into. */
export function watchTyping(): void {
  window.addEventListener('input', ({ target }) => {
    for (const field of fields) if (!field.isConnected) fields.delete(field);
    if (!(target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement)) return;
    if (!target.matches(KEPT)) fields.add(target);
  });
}

/** Whether something stands on the page that would be lost with it: in a field, or marked `data-unsent`. */
export function hasTyped(): boolean {
  if (document.querySelector('[data-unsent]')) return true;
  return [...fields].some((field) => field.isConnected && field.value !== '');
}
