import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from '@jest/globals';
import { Status } from '@warren/proto/common/v1/common';
import { AccountSchema } from '@warren/proto/tenancy/v1/tenancy';
import { accountJson, accountSchema } from './account.schemas.ts';

const ID = '01997b5c-2f4e-7d3a-9c51-0a2b3c4d5e6f';
const created = timestampFromDate(new Date('2026-01-31T08:15:30.000Z'));
const account = (init: object) =>
  create(AccountSchema, { id: ID, name: 'Acme', created, status: Status.ACTIVE, ...init });

describe('an account as JSON', () => {
  it('has an owner whose invitation may be pending', () => {
    const json = accountJson(account({ owner: { name: 'Ann', email: 'ann@acme.test', signedUp: false } }));
    expect(accountSchema.parse(json)).toEqual(json);
    expect(json.owner).toEqual({ name: 'Ann', email: 'ann@acme.test', picture: '', signup_status: 'No' });
    expect(accountJson(account({ owner: { signedUp: true } })).owner?.signup_status).toBe('Yes');
  });

  it('may have none', () => {
    expect(accountJson(account({}))).toMatchObject({
      owner: null,
      status: 'Active',
      created: '2026-01-31T08:15:30.000Z',
    });
  });

  it('is Inactive unless it is Active', () => {
    expect(accountJson(account({ status: Status.INACTIVE })).status).toBe('Inactive');
    expect(accountJson(account({ status: Status.UNSPECIFIED })).status).toBe('Inactive');
  });
});
