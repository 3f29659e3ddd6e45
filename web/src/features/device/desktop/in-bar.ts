/** For menus of the bar: keeps them in the desktop's element, because full screen shows nothing else of the page. */
export const inBar = { withinPortal: false, styles: { dropdown: { whiteSpace: 'normal' } } } as const;
