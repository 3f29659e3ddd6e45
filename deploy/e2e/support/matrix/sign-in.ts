import { request } from '@playwright/test';
import { askProvider, postAnswer } from '../saml.ts';

/** Sessions are listed by their browser. */
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';

/** Signs a person in through SAML. @returns the cookie of the session, as a header */
export async function sessionCookie(hub: string, email: string): Promise<string> {
  const context = await request.newContext({ baseURL: hub, userAgent: BROWSER });
  try {
    await postAnswer(context, await askProvider(context, email));
    const { cookies } = await context.storageState();
    const session = cookies.find(({ name }) => name.endsWith('warren'));
    if (!session) throw new Error(`sign-in of ${email}: no session cookie came`);
    return `${session.name}=${session.value}`;
  } finally {
    await context.dispose();
  }
}
