import { Recording, TerminalRefusal } from '@warren/proto/agent/v1/agent';
import type { TerminalClient } from '../../test/terminal-client.ts';
import type { Group } from '../check.ts';
import { expect, same } from '../expect.ts';

const LINES = 600_000;
const REPLAY = 2 * 1024 * 1024;

const opened = (terminal: TerminalClient) => terminal.until(() => terminal.session !== '');

export const recorders: Group = {
  name: 'recorders',
  checks: [
    {
      name: 'makes a program wait for what its recorder has not stored, and gives the recorder every byte',
      run: async (subject) => {
        await subject.enrol();
        const first = await subject.terminal({ join: true, record: Recording.REQUIRED });
        await opened(first);
        same('recording', first.recording, Recording.REQUIRED);
        first.type(`seq ${LINES}; exit 3\r`);
        await first.until(() => first.offset > REPLAY / 2);
        const { session } = first;
        const recorder = await subject.terminal({ session, recorder: true });
        await opened(recorder);
        expect(first.offset <= REPLAY, `${first.offset} bytes came without a recorder`);
        let stored = 0;
        await recorder.until(() => {
          if (recorder.offset - stored > REPLAY / 8) recorder.store((stored = recorder.offset));
          return recorder.exit !== undefined;
        });
        await first.ended;
        expect(recorder.output.equals(first.output), 'the recorder got other bytes than the writer');
        same('exit', recorder.exit, { code: 3, signal: '' });
        recorder.store();
        await recorder.ended;
      },
    },
    {
      name: 'keeps the end of a session until it is stored, and puts sizes in their place',
      run: async (subject) => {
        const first = await subject.terminal({ join: true, record: Recording.BEST_EFFORT });
        await opened(first);
        const { session } = first;
        first.type('echo before$((1))\r');
        await first.shows('before1');
        first.resize(101, 31);
        first.type('stty size; exit 4\r');
        await first.ended;
        const recorder = await subject.terminal({ session, recorder: true });
        await recorder.until(() => recorder.exit !== undefined);
        same('exit', recorder.exit, { code: 4, signal: '' });
        expect(recorder.output.equals(first.output), 'the recorder got other bytes than the writer');
        same('columns at the end', recorder.size?.cols, 101);
        recorder.abort();
        await recorder.ended;
        const second = await subject.terminal({ session, recorder: true, offset: recorder.offset });
        await second.until(() => second.exit !== undefined);
        second.store();
        await second.ended;
      },
    },
    {
      name: 'replaces a recorder by the next one, and refuses one of a session that is not recorded',
      run: async (subject) => {
        const first = await subject.terminal({ join: true, record: Recording.REQUIRED });
        await opened(first);
        const { session } = first;
        const former = await subject.terminal({ session, recorder: true });
        await opened(former);
        const later = await subject.terminal({ session, recorder: true });
        await former.ended;
        same('code of the former', former.code, TerminalRefusal.TAKEN_OVER);
        await opened(later);
        const plain = await subject.terminal({ join: true });
        await opened(plain);
        const refused = await subject.terminal({ session: plain.session, recorder: true });
        await refused.ended;
        expect(refused.refused !== undefined, 'a session that is not recorded took a recorder');
        plain.close();
        first.close();
        await Promise.all([plain.ended, first.ended]);
      },
    },
  ],
};
