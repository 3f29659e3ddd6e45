import { Code, ConnectError } from '@connectrpc/connect';
import type { Facts } from '@warren/proto/agent/v1/agent';
import type { Group } from '../check.ts';
import { expect, same } from '../expect.ts';

/** The agent runs on this machine. */
const WRONG_MS = 60_000;

async function codeOf(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => 'no error',
    (error: unknown) => Code[ConnectError.from(error).code],
  );
}

/** Facts that an agent may leave out. */
function checkOptional({ fullestDisk, fullestDiskUsage: usage, load, time, clockOffset }: Facts): void {
  same('whether fullest_disk comes with fullest_disk_usage', fullestDisk !== undefined, usage !== undefined);
  expect(usage === undefined || (usage >= 0 && usage <= 100), `fullest_disk_usage is ${usage}`);
  expect((fullestDisk ?? '').length <= 64, `fullest_disk is ${JSON.stringify(fullestDisk)}: at most 64 characters`);
  expect(load === undefined || load >= 0, `load is ${load}`);
  const off = time === undefined ? 0 : Math.abs(Number(time) - Date.now());
  expect(off < WRONG_MS, `time is ${off} ms off, in milliseconds since 1970`);
  same('clock_offset, which the hub sets', clockOffset, undefined);
}

export const calls: Group = {
  name: 'calls',
  checks: [
    {
      name: 'gives its facts at once',
      run: async (subject) => {
        await subject.enrol();
        const { client } = await subject.link();
        for await (const facts of client.watchFacts({}, { timeoutMs: 10_000 })) {
          expect(facts.hostname !== '' && facts.kernel !== '' && facts.os !== '', 'it lacks hostname, kernel or os');
          expect(facts.cpuUsage >= 0 && facts.cpuUsage <= 100, `cpu_usage is ${facts.cpuUsage}`);
          expect(facts.usedRam <= facts.totalRam && facts.totalRam > 0n, 'total_ram and used_ram do not fit');
          checkOptional(facts);
          break;
        }
      },
    },
    {
      name: 'reboots the device on request, with its configured command',
      run: async (subject) => {
        const { client } = await subject.link();
        await client.reboot({ userEmail: 'ada@example.com' });
        await subject.until('the command to have run', () => subject.rebooted);
      },
    },
    {
      name: 'changes its key when asked, and dials with the new one',
      run: async (subject) => {
        const { hub } = subject;
        const { client, socket } = await subject.link();
        await client.rotateKey({ userEmail: 'ada@example.com' });
        same('the number of changes that were proven', hub.rotations, 1);
        const count = hub.links.length;
        socket.destroy();
        // The hub accepts the new key only.
        await subject.linkAfter(count);
      },
    },
    {
      name: 'dials with either key when the answer to the change is lost',
      run: async (subject) => {
        const { hub } = subject;
        const { client, socket } = await subject.link();
        hub.rotating = 'lost';
        same('the code', await codeOf(client.rotateKey({})), 'FailedPrecondition');
        same('the number of changes that were proven', hub.rotations, 2);
        hub.rotating = 'taken';
        const count = hub.links.length;
        socket.destroy();
        await subject.linkAfter(count);
      },
    },
    {
      name: 'gives a page of the journal, or the reason why there is none',
      run: async (subject) => {
        const { client } = await subject.link();
        const request = { lines: 5, userEmail: 'ada@example.com' };
        try {
          for await (const { kind } of client.watchLogs(request, { timeoutMs: 10_000 })) {
            same('the first message', kind.case, 'page');
            expect(
              (kind.value as { lines: unknown[] }).lines.length <= 5,
              'the page has more lines than were asked for',
            );
            break;
          }
        } catch (error) {
          const { code, rawMessage } = ConnectError.from(error);
          same('the code', Code[code], 'FailedPrecondition');
          expect(rawMessage !== '', 'it gives no reason');
        }
      },
    },
    {
      name: 'refuses a filter that is no unit, and a cursor that is none',
      run: async (subject) => {
        const { client } = await subject.link();
        const watching = (request: object) => codeOf(client.watchLogs(request)[Symbol.asyncIterator]().next());
        same('code for a unit', await watching({ filter: { unit: 'no unit', text: '' } }), 'InvalidArgument');
        same('code for a cursor', await watching({ after: '; rm -rf /' }), 'InvalidArgument');
        same('code for a page without a place', await codeOf(client.readLogs({ lines: 5 })), 'InvalidArgument');
      },
    },
    {
      name: 'reports why the reboot failed',
      run: async (subject) => {
        await subject.stop();
        subject.reboot = `${subject.folder}/no-such-program`;
        const { client } = await subject.link();
        same('the code', await codeOf(client.reboot({})), 'FailedPrecondition');
      },
    },
  ],
};
