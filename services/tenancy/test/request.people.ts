import { create } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { userCaller, type Caller } from '@warren/platform/rpc/caller';
import { UserCallerSchema, type Role } from '@warren/proto/common/v1/common';
import { v7 as uuidv7 } from 'uuid';
import { UserEntity } from '../src/users/user.entity.ts';
import type { InvitationWorld } from './invitation.world.ts';

const MINUTE = 60_000;

export interface Person {
  id: string;
  email: string;
  role: Role;
}

/** Makes people of the account Acme, and callers with the time of their sign-in. */
export function requestPeople(world: InvitationWorld) {
  const people = async (email: string, role: Role): Promise<Person> => {
    const [row] = await world.source.query<{ id: string }[]>('SELECT id FROM users WHERE email = $1', [email]);
    return { id: row?.id ?? '', email, role };
  };
  const groupOf = async (name: string) => {
    const sql = 'SELECT id FROM groups WHERE account_id = $1 AND name = $2';
    return (await world.source.query<{ id: string }[]>(sql, [world.acme, name]))[0]?.id ?? '';
  };
  const added = async (email: string, group: string, role: Role): Promise<Person> => {
    const id = uuidv7();
    const own = { id, accountId: world.acme, groupId: await groupOf(group), email, name: email.split('@')[0] ?? '' };
    const rest = {
      picture: '',
      status: 'Active',
      created: new Date(),
      provider: '',
      subject: '',
      boundAt: null,
    } as const;
    await world.source.manager.insert(UserEntity, { ...own, ...rest });
    return { id, email, role };
  };
  /** @param minutesAgo of the sign-in; undefined for a session without a time */
  const as = ({ id, email, role }: Person, minutesAgo: number | undefined = 1, more: object = {}): Caller => {
    const authTime = minutesAgo === undefined ? {} : { authTime: timestampFromMs(Date.now() - minutesAgo * MINUTE) };
    const own = { userId: id, email, name: email, accountId: world.acme, role, ...authTime, ...more };
    return userCaller(create(UserCallerSchema, own));
  };
  return { people, groupOf, added, as };
}
