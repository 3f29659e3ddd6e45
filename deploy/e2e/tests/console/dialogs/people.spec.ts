import { expectToast } from '../../../pages/dialog.ts';
import { SignInPage } from '../../../pages/sign-in.ts';
import { linkInMail } from '../../../support/mail.ts';
import { expect, test } from '../../../support/test.ts';

test('a new person signs up by the link in the mail, signs in and accepts', async ({ enter, estate, office }) => {
  const { email } = await estate.invite('nora');
  const link = await linkInMail(office.mail, email);
  const page = await enter(null);
  await page.goto(link.href);
  await expect(page.getByRole('heading', { name: `Join ${estate.name}` })).toBeVisible();
  await expect(page.getByText('You will be in the group Members.')).toBeVisible();
  await page.getByRole('link', { name: 'I am new here' }).click();
  await expect(page).toHaveTitle(/^Sign up/);
  await expect(page.getByLabel('E-mail')).toHaveValue(email);
  await page.getByLabel('Name').fill('Nora Birch');
  await page.getByLabel('I use this hub only for devices that I am allowed to manage.').check();
  await page.getByRole('button', { name: 'Continue to sign-in' }).click();
  await new SignInPage(page).type(email);
  await page.getByRole('button', { name: 'Accept invitation' }).click();
  await expect(page).toHaveURL('/');
  await expect(page.getByRole('button', { name: 'Your menu: Nora Birch' })).toBeVisible();
});

test('a sign-in with a pending invitation shows it first', async ({ enter, estate, office }) => {
  const { email } = await estate.invite('noel', 'Admins');
  const link = await linkInMail(office.mail, email);
  const page = await enter(null);
  await page.goto(link.href);
  await page.getByRole('link', { name: 'Sign in to accept' }).click();
  await new SignInPage(page).type(email);
  await expect(page).toHaveURL(/\/accept_invitation\?/);
  await page.goto('/devices');
  await expect(page).toHaveURL(/\/accept_invitation\?/);
  await page.getByRole('button', { name: 'Accept invitation' }).click();
  await expect(page).toHaveURL('/');
  await expect(page.getByRole('navigation').getByRole('link', { name: 'Users' })).toBeVisible();
});

test('an invitation is valid for its recipient only', async ({ enter, estate, office }) => {
  const { email } = await estate.invite('nils');
  const link = await linkInMail(office.mail, email);
  const page = await enter('otherMember');
  await page.goto(link.href);
  await expect(page.getByText(/^You are signed in as member@harbour\.example\./)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Accept invitation' })).toHaveCount(0);
});

test('Edit Profile: a new name, and a picture that stands wherever the person does', async ({ enter, estate }) => {
  const user = await estate.user('Pat Hill', 'Admins');
  const page = await enter(user.email);
  await page.goto('/profile');
  await expect(page.getByLabel('E-mail')).toHaveValue(user.email);
  await expect(page.getByRole('button', { name: 'Save changes' })).toBeDisabled();
  await page.getByLabel('Name').fill('Patrick Hill');
  const buffer = await page.screenshot({ clip: { x: 0, y: 0, width: 64, height: 64 } });
  await page.getByLabel('Choose picture').setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer });
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expectToast(page, 'profile successfully updated', 'Everybody sees it from now on.');
  await expect(page.getByRole('button', { name: 'Your menu: Patrick Hill' })).toBeVisible();

  const other = await enter('superAdmin');
  await other.goto(`/users/${estate.id}`);
  const picture = other.getByRole('row').filter({ hasText: 'Patrick Hill' }).locator('img');
  await expect(picture).toHaveAttribute('src', /^\/api\//);
  expect(
    await picture.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth)),
  ).toBeGreaterThan(0);

  await page.getByRole('button', { name: 'Remove picture' }).click();
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByRole('button', { name: 'Remove picture' })).toHaveCount(0);
  await expect(picture).toHaveCount(0);
});
