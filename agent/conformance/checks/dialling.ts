import { decodeJwt, decodeProtectedHeader, type JWTPayload } from 'jose';
import { TerminalClient } from '../../test/terminal-client.ts';
import type { Group } from '../check.ts';
import { expect, same } from '../expect.ts';
import type { Subject } from '../subject.ts';

/** Several of the first waits after a broken link. */
const SOON_MS = 8_000;
const HOUR_S = 3600;

const tokenOf = ({ hub }: Subject, dial: number): string =>
  hub.dials.at(dial)?.headers.authorization?.replace('Bearer ', '') ?? '';
const claimsOf = (subject: Subject, dial: number): JWTPayload => decodeJwt(tokenOf(subject, dial));

async function cut(subject: Subject): Promise<void> {
  const { socket } = await subject.link();
  const count = subject.hub.links.length;
  socket.destroy();
  await subject.linkAfter(count, SOON_MS);
}

export const dialling: Group = {
  name: 'dialling',
  checks: [
    {
      name: 'proves at each dial that it holds the key',
      run: async (subject) => {
        await subject.enrol();
        await subject.link();
        const { alg, kid } = decodeProtectedHeader(tokenOf(subject, 0));
        same('alg and kid', [alg, kid], ['EdDSA', 'device-1']);
        const { sub, aud, iat = 0, exp = 0, jti = '', instance } = claimsOf(subject, 0);
        same('sub and aud', [sub, aud], ['device-1', 'hub-test']);
        expect(exp > iat && exp - iat <= 60, `the token lives ${exp - iat} s; at most 60`);
        expect(/^[\w-]{16,64}$/.test(jti), `jti is ${JSON.stringify(jti)}: expected 16 to 64 of A-Z a-z 0-9 - _`);
        expect(
          /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(String(instance)),
          `instance is ${String(instance)}: no UUID`,
        );
      },
    },
    {
      name: 'asks for warren-h2 first, and says its version',
      run: async (subject) => {
        await subject.link();
        same('Upgrade', subject.hub.dials[0]?.upgrade, 'warren-h2');
        const version = String(subject.hub.dials[0]?.headers['warren-agent-version']);
        expect(/^\d{1,4}\.\d{1,4}\.\d{1,4}([-+][\w.+-]{1,64})?$/.test(version), `Warren-Agent-Version is ${version}`);
      },
    },
    {
      name: 'dials again soon after a broken link, with a new token of the same process',
      run: async (subject) => {
        await cut(subject);
        const [before, after] = [claimsOf(subject, -2), claimsOf(subject, -1)];
        expect(before.jti !== after.jti, 'both dials have the same jti');
        same('instance of the second dial', after['instance'], before['instance']);
      },
    },
    {
      name: 'falls back to a WebSocket where the upgrade is refused',
      run: async (subject) => {
        const { hub } = subject;
        hub.refuse = (upgrade) => (upgrade === 'websocket' ? undefined : { status: 400 });
        await cut(subject);
        same('the carrier', hub.links.at(-1)?.kind, 'websocket');
        const terminal = new TerminalClient(hub.links.at(-1)!.client);
        terminal.type("head -c 300000 /dev/zero | tr '\\0' x; echo; echo END$((1))\r");
        await terminal.shows('END1');
        terminal.close();
        await terminal.ended;
        hub.refuse = undefined;
        await cut(subject);
      },
    },
    {
      name: 'learns the time from the Date of an answer',
      run: async (subject) => {
        const { hub } = subject;
        const ahead = new Date(Date.now() + HOUR_S * 1000).toUTCString();
        hub.refuse = () => ({ status: 401, headers: { date: ahead } });
        const count = hub.dials.length;
        (await subject.link()).socket.destroy();
        await subject.until('a dial that is refused', () => hub.dials.length > count);
        hub.refuse = undefined;
        await subject.until('another dial', () => hub.dials.length > count + 1);
        const { iat = 0 } = claimsOf(subject, count + 1);
        const off = Math.round(iat - Date.now() / 1000);
        expect(Math.abs(off - HOUR_S) < 60, `iat is ${off} s ahead; the hub's clock was ${HOUR_S}`);
        // The hub's own time is in its next refusal.
        await subject.link();
      },
    },
    {
      name: 'has another instance id after a restart',
      run: async (subject) => {
        await subject.link();
        const before = claimsOf(subject, -1)['instance'];
        const count = subject.hub.links.length;
        await subject.stop();
        void subject.link().catch(() => {});
        await subject.linkAfter(count);
        expect(claimsOf(subject, -1)['instance'] !== before, 'instance is the same');
      },
    },
  ],
};
