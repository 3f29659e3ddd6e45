import { Dialog } from '../../pages/dialog.ts';
import { expect, test } from '../../support/test.ts';

test('what is typed survives a click beside the dialog and the end of the session', async ({ estate, enter }) => {
  const page = await enter('superAdmin');
  await page.goto('/');
  await page.goto(`/groups/${estate.id}`);
  await page.getByRole('button', { name: 'Create group' }).click();
  const create = new Dialog(page, 'Create group');
  const name = create.field(/Group name/);
  await name.fill('Welders');
  await page.mouse.click(5, 400);
  await expect(name).toHaveValue('Welders');

  const cookies = await page.context().cookies();
  await page.context().clearCookies();
  await create.confirm('Create group');
  await expect(create.root.getByRole('link', { name: 'Sign in' })).toBeVisible();
  await expect(name).toHaveValue('Welders');
  await page.context().addCookies(cookies);
  await expect(create.root.getByRole('link', { name: 'Sign in' })).toHaveCount(0);
  await create.confirm('Create group');
  await create.expectGone();
  await expect(page.getByRole('table', { name: 'Groups' }).getByText('Welders')).toBeVisible();
});

test('a page with something typed is left only after a question', async ({ enter }) => {
  const page = await enter('member');
  await page.goto('/profile');
  const name = page.getByLabel('Name');
  const former = await name.inputValue();
  await name.fill(`${former} the Second`);
  await page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link', { name: 'Home' }).click();
  const question = new Dialog(page, 'Leave this page?');
  await question.confirm('Stay');
  await expect(name).toHaveValue(`${former} the Second`);
  await page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link', { name: 'Home' }).click();
  await question.confirm('Leave page');
  await expect(page).toHaveURL('/');
});
