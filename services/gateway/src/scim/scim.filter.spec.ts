import { describe, expect, it } from '@jest/globals';
import { ScimAttribute } from '@warren/proto/tenancy/v1/scim';
import { parsedFilter, scimId, scimQuery } from './scim.filter.ts';

const { DISPLAY_NAME, EMAIL, EXTERNAL_ID, ID, USER_NAME, UNSPECIFIED } = ScimAttribute;
const ofUsers = (filter: string) => scimQuery({ filter }, 'User');

describe('a filter', () => {
  it.each([
    ['userName eq "a@b.test"', USER_NAME, 'a@b.test'],
    ['USERNAME EQ "a"', USER_NAME, 'a'],
    ['urn:ietf:params:scim:schemas:core:2.0:User:userName eq "a"', USER_NAME, 'a'],
    ['(externalId eq "a b")', EXTERNAL_ID, 'a b'],
    ['id eq "1"', ID, '1'],
    ['displayName eq "Ann"', DISPLAY_NAME, 'Ann'],
    ['emails eq "a"', EMAIL, 'a'],
    ['emails[value eq "a"]', EMAIL, 'a'],
    ['emails[type eq "work" and value eq "a"]', EMAIL, 'a'],
    ['emails[type eq "work"].value eq "a"', EMAIL, 'a'],
    ['userName eq "say \\"hi\\""', USER_NAME, 'say "hi"'],
    [String.raw`externalId eq "dom\\ann"`, EXTERNAL_ID, String.raw`dom\ann`],
  ])('%s compares one attribute', (filter, attribute, value) => {
    expect(ofUsers(filter)).toMatchObject({ attribute, value });
  });

  it.each([
    'userName co "a"',
    'userName pr',
    'not (userName eq "a")',
    'userName eq 1',
    'userName eq "a" and active eq true',
    'emails[type eq "work"] and userName eq "a"',
    'emails[type eq "work"]',
    'emails[type eq "work"].type eq "a"',
    'emails[value eq "a" and value eq "b"]',
    'hasOwnProperty eq "a"',
    'userName eq "a',
    'userName',
    '',
    'userName eq "\ud800"',
  ])('%j is refused', (filter) => {
    expect(() => ofUsers(filter)).toThrow(expect.objectContaining({ scimType: 'invalidFilter' }));
  });

  it('is parsed in time that does not double with each character', () => {
    const before = process.threadCpuUsage();
    for (const text of [`a eq "${'\n'.repeat(500)}`, `a eq "${'\\'.repeat(500)}`, '('.repeat(512), '1'.repeat(512)])
      expect(() => parsedFilter(text, 'invalidPath')).toThrow(expect.objectContaining({ scimType: 'invalidPath' }));
    const { user, system } = process.threadCpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(1_000);
  });
});

describe('a page of a list', () => {
  it.each([
    [{}, 0, 100],
    [{ startIndex: '3', count: '2' }, 2, 2],
    [{ startIndex: '0', count: '-1' }, 0, 0],
    [{ startIndex: 'x', count: '1.5' }, 0, 100],
    [{ startIndex: '1e300', count: '500' }, 0, 100],
  ])('of %j is bounded', (query, offset, limit) => {
    expect(scimQuery(query, 'User')).toMatchObject({ attribute: UNSPECIFIED, offset, limit });
  });

  it.each([
    [{ excludedAttributes: 'meta, Members' }, true],
    [{ attributes: 'id,displayName' }, true],
    [{ attributes: 'members.value' }, false],
    [{}, false],
  ])('with %j leaves out members: %s', (query, withoutMembers) => {
    expect(scimQuery(query, 'Group').withoutMembers).toBe(withoutMembers);
  });

  it('takes each parameter once', () => {
    expect(() => scimQuery({ filter: ['a', 'b'] }, 'User')).toThrow(
      expect.objectContaining({ code: 'invalid_argument' }),
    );
  });
});

it('an id without its form is none of a resource', () => {
  expect(scimId('01997b5c-0000-7000-8000-0000000000f1')).toMatch(/f1$/);
  for (const id of ['\0', 'x', '']) expect(() => scimId(id)).toThrow(expect.objectContaining({ code: 'not_found' }));
});
