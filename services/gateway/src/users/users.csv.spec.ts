import { create } from '@bufbuild/protobuf';
import { describe, expect, it } from '@jest/globals';
import { serviceCaller } from '@warren/platform/rpc/caller';
import { Role, Status } from '@warren/proto/common/v1/common';
import { UserSchema, type User } from '@warren/proto/tenancy/v1/tenancy';
import { ExportUsersResponseSchema } from '@warren/proto/tenancy/v1/users';
import { text } from 'node:stream/consumers';
import { usersCsv } from './users.csv.ts';
import { exportUsers } from './users.export.ts';

const user = (name: string): User =>
  create(UserSchema, {
    name,
    email: 'ann@acme.test',
    accountName: 'Acme',
    groupName: 'Members',
    role: Role.MEMBER,
    status: Status.ACTIVE,
  });
async function* some(...names: string[]) {
  for (const name of names) yield user(name);
}
const REST = 'ann@acme.test,Acme,Members,Member,Active\r\n';

describe('users as CSV', () => {
  it('have a header, and quotes where they must', async () => {
    const csv = await text(usersCsv(some('Ann', 'Lee, "Bo"')));
    expect(csv.replace('\uFEFF', '')).toBe(`Name,E-mail,Account,Group,Role,Status\r\nAnn,${REST}"Lee, ""Bo""",${REST}`);
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '＝1'])('are no formula: %j', async (name) => {
    const [, line = ''] = (await text(usersCsv(some(name)))).split('\r\n');
    expect(line.replace(/^"/, '').startsWith("'")).toBe(true);
  });

  it('are a header alone without users', async () => {
    expect((await text(usersCsv(some()))).split('\r\n')).toHaveLength(2);
  });

  it('fail as a whole when a part does', async () => {
    async function* broken() {
      yield user('Ann');
      throw new Error('gone');
    }
    await expect(text(usersCsv(broken()))).rejects.toThrow('gone');
  });
});

describe('the export', () => {
  it('fetches the parts one after another, and fails at once when the first does', async () => {
    const asked: string[] = [];
    const client = {
      exportUsers: async (_caller: unknown, { after = '' }: { after?: string }) => {
        asked.push(after);
        if (after === 'z') throw new Error('no');
        return create(ExportUsersResponseSchema, { users: [user(after)], next: after === 'b' ? '' : `${after}b` });
      },
    };
    const filter = { accountId: '', groupId: '', search: '' };
    const names: string[] = [];
    for await (const { name } of await exportUsers(client as never, serviceCaller('x'), filter)) names.push(name);
    expect([names, asked]).toEqual([
      ['', 'b'],
      ['', 'b'],
    ]);
    const failing = { exportUsers: () => Promise.reject(new Error('no')) };
    await expect(exportUsers(failing, serviceCaller('x'), filter)).rejects.toThrow('no');
  });
});
