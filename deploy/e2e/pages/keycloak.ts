import { expect, type Page } from '@playwright/test';
import { ADMIN } from '../support/foreign/keycloak.ts';

export interface SamlClient {
  clientId: string;
  /** Assertion consumer service, which takes logouts too. */
  acs: string;
  /** PEM. */
  certificate: string;
}

/** Creates a SAML client in Keycloak's admin console with all defaults, by the steps of docs/operations/saml.md. */
export async function createClient(page: Page, realm: { console: string }, client: SamlClient): Promise<void> {
  await page.goto(`${realm.console}/clients/add-client`);
  await page.locator('#username').fill(ADMIN.username);
  await page.locator('#password').fill(ADMIN.password);
  await page.locator('#kc-login').click();
  await page.getByRole('button', { name: 'Client type' }).click();
  await page.getByRole('option', { name: 'SAML' }).click();
  await page.getByRole('textbox', { name: 'Client ID' }).fill(client.clientId);
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('textbox', { name: 'Valid redirect URIs' }).fill(client.acs);
  await page.getByRole('textbox', { name: 'Master SAML Processing URL' }).fill(client.acs);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Client created successfully')).toBeVisible();
  await importKey(page, client.certificate);
}

async function importKey(page: Page, certificate: string): Promise<void> {
  await page.getByRole('tab', { name: 'Keys' }).click();
  await page.getByRole('button', { name: 'Import key' }).click();
  const dialog = page.getByRole('dialog', { name: 'Import key' });
  await dialog.getByRole('button', { name: 'Archive format' }).click();
  await page.getByRole('option', { name: 'Certificate PEM' }).click();
  const file = { name: 'saml-cert.pem', mimeType: 'application/x-pem-file', buffer: Buffer.from(certificate) };
  await dialog.locator('input[type=file]').setInputFiles(file);
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(page.getByText('New certificate imported')).toBeVisible();
}
