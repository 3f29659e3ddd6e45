import type { SocketToken } from '../../support/api.ts';
import { Hub } from '../../support/matrix/hub.ts';
import { sessionCookie } from '../../support/matrix/sign-in.ts';
import { person } from '../../support/people.ts';
import { openSocket } from '../../support/socket.ts';
import { testOnSeparate } from '../../support/separate.ts';
import { expect, measured } from '../../support/test.ts';
import type { Warren } from '../../support/warren.ts';

const IDLE_S = 20;
const ABSOLUTE_S = 50;
const ENDED_MS = 2_000;
/** Identity moves the end of a session only when a tenth of the idle time has passed. */
const TOUCH_MS = IDLE_S * 100;
/** On a separate installation with short sessions. */
const test = testOnSeparate('expiry', {
  WARREN_SESSION_IDLE_SECONDS: String(IDLE_S),
  WARREN_SESSION_ABSOLUTE_SECONDS: String(ABSOLUTE_S),
});

/** A shell with its own session, without a browser. */
async function openShell({ facts: { hub, device } }: Warren) {
  const signedIn = performance.now();
  const cookie = await sessionCookie(hub, person('member').email);
  const path = `/api/get-socket-token/${device.id}?purpose=terminal`;
  const token = await new Hub(hub).must<SocketToken>(cookie, 'GET', path);
  const socket = await openSocket(hub, token);
  const used = performance.now();
  const ended = new Promise<number>((resolve) => socket.once('disconnect', () => resolve(performance.now())));
  socket.emit('register', { cols: 80, rows: 24 });
  await new Promise((resolve) => socket.once('register_status', resolve));
  return { socket, signedIn, used, ended };
}

test('an unused shell ends when its session expires; one that is typed in stays open until the absolute end', async ({
  warren,
}) => {
  const quiet = await openShell(warren);
  const busy = await openShell(warren);
  const typing = setInterval(() => busy.socket.emit('input', { input: ' ' }), 1_000);
  try {
    const idle = (await quiet.ended) - quiet.used;
    measured('an unused shell ended after', idle, 'ms');
    expect(idle).toBeLessThan(IDLE_S * 1_000 + ENDED_MS);
    expect(idle).toBeGreaterThan(IDLE_S * 1_000 - TOUCH_MS - ENDED_MS);
    const lived = (await busy.ended) - busy.signedIn;
    measured('a shell in use ended after', lived, 'ms');
    expect(lived).toBeGreaterThan(ABSOLUTE_S * 1_000 - TOUCH_MS);
    expect((await busy.ended) - busy.used).toBeLessThan(ABSOLUTE_S * 1_000 + ENDED_MS);
  } finally {
    clearInterval(typing);
  }
});
