import { expect, test } from '../../support/test.ts';

test("each of the console's sockets names its purpose and its device in the handshake", async ({ enter, warren }) => {
  const { id } = warren.facts.device;
  const page = await enter('superAdmin');
  const opens = {
    desktop: () => page.goto(`/device/rdp/${id}`),
    terminal: () => page.goto(`/device/ssh/${id}`),
    logs: () => page.getByRole('button', { name: 'Logs', exact: true }).click(),
  };
  for (const [kind, open] of Object.entries(opens)) {
    // One of the page before may be opened once more meanwhile.
    const opened = page.waitForEvent('websocket', (socket) => new URL(socket.url()).searchParams.get('kind') === kind);
    await open();
    const { pathname, searchParams } = new URL((await opened).url());
    expect({ pathname, device: searchParams.get('device') }).toEqual({ pathname: '/socketsio/', device: id });
  }
});
