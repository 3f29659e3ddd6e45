/** For a menu that opens over the page: keeps it in the page's main part, because whatever is shown belongs to a landmark. */
export function inMain(): { portalProps?: { target: HTMLElement } } {
  const target = document.querySelector('main');
  return target ? { portalProps: { target } } : {};
}
