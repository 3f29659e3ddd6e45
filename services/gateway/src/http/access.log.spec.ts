import { describe, expect, it } from '@jest/globals';
import { userCaller } from '@warren/platform/rpc/caller';
import { UserCallerSchema } from '@warren/proto/common/v1/common';
import { create } from '@bufbuild/protobuf';
import type { IncomingMessage } from 'node:http';
import { accessFields, accessLogSchema, type AccessLog } from './access.log.ts';

const caller = userCaller(create(UserCallerSchema, { userId: 'u1', accountId: 'a1', email: 'ann@example.com' }));
const line = (log: AccessLog, request: object) => accessFields(log)(request as IncomingMessage);

describe('the access log', () => {
  it('has ids and the address of the caller', () => {
    expect(line('full', { ip: '::ffff:203.0.113.9', caller })).toEqual({
      client: '203.0.113.9',
      user: 'u1',
      account: 'a1',
    });
    expect(line('full', { ip: '203.0.113.9' })).toEqual({ client: '203.0.113.9' });
  });

  it('has only the network and the account, or nothing, as set', () => {
    const networks = {
      '203.0.113.9': '203.0.113.0/24',
      '2001:db8:1:2::9': '2001:db8:1::/48',
      'fe80::1%eth0': 'fe80::/48',
    };
    for (const [ip, client] of Object.entries(networks))
      expect(line('network', { ip, caller })).toEqual({ client, account: 'a1' });
    expect(line('network', { ip: 'unix' })).toEqual({ client: '' });
    expect(line('none', { ip: '203.0.113.9', caller })).toEqual({});
  });

  it('refuses an unknown setting', () => {
    expect(accessLogSchema.safeParse('some').error?.issues[0]?.message).toBe('expected full, network or none');
  });
});
