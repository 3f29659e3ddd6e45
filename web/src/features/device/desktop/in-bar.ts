/** For what the bar opens: stays in the desktop's own element, because in full screen nothing else of the page is shown. */
export const inBar = { withinPortal: false, styles: { dropdown: { whiteSpace: 'normal' } } } as const;
