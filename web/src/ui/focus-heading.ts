/**
 * Moves the focus to the page's heading, so that screen readers announce it.
 * @returns whether the page has one
 */
export function focusHeading(): boolean {
  const heading = document.querySelector<HTMLElement>('main h1');
  if (!heading) return false;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
  return true;
}
