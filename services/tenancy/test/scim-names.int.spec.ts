import { expect, it } from '@jest/globals';
import { ScimAttribute } from '@warren/proto/tenancy/v1/scim';
import { domain, fields, find, GATEWAY, setUp, users } from './scim.world.ts';

setUp();

it('reads addresses as the provider writes them', async () => {
  const email = `Ann.Lee@${domain.toUpperCase()}`;
  const { user: made } = await users.create(GATEWAY, fields({ userName: 'Test_User', email }));
  expect(made).toMatchObject({ userName: 'Test_User', email });
  expect((await find(ScimAttribute.EMAIL, email.toLowerCase())).users).toMatchObject([{ id: made?.id, email }]);
  const written = `ann.LEE@${domain}`;
  const { user: changed } = await users.change(GATEWAY, fields({ id: made?.id, email: written }));
  expect(changed?.email).toBe(written);
  const { user: named } = await users.change(GATEWAY, fields({ id: made?.id, givenName: 'Ann' }));
  expect(named?.email).toBe(written);
  expect((await find(ScimAttribute.EMAIL, `mia@${domain}`)).users?.[0]?.email).toBe(`mia@${domain}`);
});

it('changes a user name that is not the address, but not to the address of another user', async () => {
  const email = `ann@${domain}`;
  const { user: made } = await users.create(GATEWAY, fields({ userName: 'Test_User', email }));
  const id = made?.id ?? '';
  const userName = `5b50642d@${domain}`;
  const { user: changed } = await users.change(GATEWAY, fields({ id, userName }));
  expect(changed).toMatchObject({ userName, email });
  const { user: disabled } = await users.change(GATEWAY, fields({ id, userName, email, active: false }));
  expect(disabled).toMatchObject({ userName, email, active: false });
  await expect(users.change(GATEWAY, fields({ id, userName: `MIA@${domain}` }))).rejects.toMatchObject({
    code: 'already_exists',
  });
  await expect(users.change(GATEWAY, fields({ id, email: `bob@${domain}` }))).rejects.toMatchObject({
    code: 'failed_precondition',
  });
  expect((await find(ScimAttribute.USER_NAME, `mia@${domain}`)).total).toBe(1);
});
