/** Keeps a menu that opens over the page inside the main landmark, as all content must be in one. */
export function inMain(): { portalProps?: { target: HTMLElement } } {
  const target = document.querySelector('main');
  return target ? { portalProps: { target } } : {};
}
