/**
 * Moves the focus to the page's heading, which screen readers then announce.
 * @returns whether there is one
 */
export function focusHeading(): boolean {
  const heading = document.querySelector<HTMLElement>('main h1');
  if (!heading) return false;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
  return true;
}
