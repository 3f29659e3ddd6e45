import { Proxy } from '@warren/infra/proxy';
import type { Group } from '../check.ts';
import { expect } from '../expect.ts';

/** Half of the first wait, less what clocks and a busy machine may differ by. */
const LASTING_MS = 7_000;
/** How long a dead link may go unnoticed: 15 s by the protocol, and as long as a busy machine takes. */
const DEAD_MS = 60_000;
const RETRY_AFTER_S = 2;

export const refusals: Group = {
  name: 'refusals',
  checks: [
    {
      name: 'does not hammer a hub that does not know it, and links once it does',
      run: async (subject) => {
        const { hub } = subject;
        await subject.enrol();
        hub.refuse = () => ({ status: 404, body: { message: 'Not found: device device-1.' } });
        const linked = subject.link(90_000);
        linked.catch(() => {});
        await subject.until('a dial', () => hub.dials.length > 0, 60_000);
        hub.refuse = undefined;
        await linked;
        const waited = hub.dials[1]!.at - hub.dials[0]!.at;
        expect(waited >= LASTING_MS, `it dialled again after ${waited} ms; expected 7.5 s or more`);
      },
    },
    {
      name: 'waits as long as Retry-After says',
      run: async (subject) => {
        const { hub } = subject;
        hub.refuse = () => ({ status: 503, headers: { 'retry-after': String(RETRY_AFTER_S) } });
        const count = hub.dials.length;
        (await subject.link()).socket.destroy();
        await subject.until('two dials', () => hub.dials.length >= count + 2);
        hub.refuse = undefined;
        const waited = hub.dials[count + 1]!.at - hub.dials[count]!.at;
        expect(
          waited >= RETRY_AFTER_S * 1000 - 50,
          `it dialled after ${waited} ms, the hub asked for ${RETRY_AFTER_S} s`,
        );
        await subject.link();
      },
    },
  ],
};

export const silence: Group = {
  name: 'silence',
  checks: [
    {
      name: 'drops a link of which nothing comes any more, and dials again',
      run: async (subject) => {
        const network = await Proxy.start(subject.hub.port);
        try {
          subject.hub.url = `http://localhost:${network.port}`;
          await subject.enrol();
          await subject.link();
          const count = subject.hub.links.length;
          network.deafen();
          await subject.linkAfter(count, DEAD_MS);
        } finally {
          await network.stop();
        }
      },
    },
  ],
};
