import type { Page } from '@playwright/test';

/** Calls the API as the console does: by a page that stands on the hub, with its cookies. @throws with the answer when it is not 2xx */
export async function call<T>(page: Page, method: string, path: string, data?: object): Promise<T> {
  const { status, text } = await page.evaluate(
    async ([verb, where, body]) => {
      const response = await fetch(where, {
        method: verb,
        ...(body !== undefined && { body, headers: { 'content-type': 'application/json' } }),
      });
      return { status: response.status, text: await response.text() };
    },
    [method, path, data && JSON.stringify(data)] as const,
  );
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
  return JSON.parse(text) as T;
}
