/** Texts of the views of the device page: overview, terminals, desktop, web service and logs. */
export const deviceViews = {
  label: 'Views of the device',
  overview: 'Overview',
  terminal: (number: number) => (number === 1 ? 'Terminal' : `Terminal ${number}`),
  desktop: 'Desktop',
  web: 'Web service',
  logs: 'Logs',
  running: ', open',
  close: (view: string) => `Close ${view}`,
  newTerminal: 'New terminal',
  splits: { right: 'Split to the right', below: 'Split below' },
  unsplit: 'Close this terminal',
  second: (device: string) => `${device}, second pane`,
  tools: 'Terminal layout',
  most: (count: number) => `At most ${count} terminals fit on a page.`,
  closed: (view: string, most: number) =>
    `${view} was closed here: a page keeps at most ${most} views open. Return to it to continue.`,
  closedTerminal: (view: string, most: number) =>
    `${view} was closed here: a page keeps at most ${most} views open. It keeps running for ten minutes; return to it to continue.`,
  dismiss: 'Dismiss',
} as const;
