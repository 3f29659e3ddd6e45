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
    const opened = page.waitForEvent('websocket', (socket) => socket.url().includes('/socketsio/'));
    await open();
    const { searchParams } = new URL((await opened).url());
    expect({ kind: searchParams.get('kind'), device: searchParams.get('device') }).toEqual({ kind, device: id });
  }
});
