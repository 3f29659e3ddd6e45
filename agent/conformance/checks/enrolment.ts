import { fromJson, type JsonValue } from '@bufbuild/protobuf';
import { FactsSchema } from '@warren/proto/agent/v1/agent';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Group } from '../check.ts';
import { expect, same } from '../expect.ts';

/** EX_NOPERM of sysexits(3). */
const REFUSED = 77;

export const enrolment: Group = {
  name: 'enrolment',
  checks: [
    {
      name: 'says why, and ends with 77, when the token is refused',
      run: async (subject) => {
        const { code, output } = await subject.enrol({ WARREN_TOKEN: 'wrong' });
        same('the exit code', code, REFUSED);
        expect(output.includes('the token is not valid'), `the hub's reason is not in what it said: ${output}`);
        expect(!output.includes('wrong'), 'it printed the token');
      },
    },
    {
      name: 'exchanges the token and a proof of its key for a device',
      run: async (subject) => {
        const { code, output } = await subject.enrol();
        expect(code === 0, `it ended with ${code}: ${output}`);
        same('the number of enrolments that were proven', subject.hub.enrolled.length, 1);
        const body = subject.hub.enrolled[0]!;
        same('account', body['account'], 'account-1');
        same('bytes of public_key', Buffer.from(String(body['public_key']), 'base64url').length, 32);
        same('bytes of proof', Buffer.from(String(body['proof']), 'base64url').length, 64);
        const serial = String(body['serial'] ?? '');
        expect(serial.length >= 1 && serial.length <= 128, `serial is ${JSON.stringify(serial)}: 1 to 128 characters`);
      },
    },
    {
      name: 'sends facts as protobuf JSON',
      run: async ({ hub }) => {
        const facts = fromJson(FactsSchema, (hub.enrolled[0]?.['facts'] ?? null) as JsonValue);
        expect(facts.hostname !== '', 'the facts lack hostname');
        expect(facts.cpuCores > 0, `cpu_cores is ${facts.cpuCores}`);
        expect(facts.totalRam > 0n && facts.usedRam <= facts.totalRam, 'total_ram and used_ram do not fit');
        expect(facts.totalDisk > 0n && facts.usedDisk <= facts.totalDisk, 'total_disk and used_disk do not fit');
      },
    },
    {
      name: 'keeps what it stores to its own user',
      run: async ({ state }) => {
        const files = (await readdir(state, { recursive: true, withFileTypes: true })).filter((file) => file.isFile());
        expect(files.length > 0, `there is nothing in ${state}`);
        if (((await stat(state)).mode & 0o077) === 0) return;
        for (const { parentPath, name } of files) {
          const { mode } = await stat(join(parentPath, name));
          expect(
            (mode & 0o077) === 0,
            `${name} has mode ${(mode & 0o777).toString(8)}, and others can enter its folder`,
          );
        }
      },
    },
    {
      name: 'uses no second token where it is enrolled already',
      run: async (subject) => {
        const { code, output } = await subject.enrol({ WARREN_TOKEN: 'used up' });
        expect(code === 0, `it ended with ${code}: ${output}`);
        same('the number of enrolments', subject.hub.enrolled.length, 1);
      },
    },
  ],
};
