import { expect } from '@playwright/test';

interface Mails {
  messages: { text: string }[];
}

/** The texts of the mails that an address has got, the newest first. */
export async function mailsTo(mail: string, email: string): Promise<string[]> {
  const response = await fetch(new URL(`/api/messages?to=${encodeURIComponent(email)}`, mail));
  return ((await response.json()) as Mails).messages.map(({ text }) => text);
}

/** Waits until an address has got so many mails. @returns the links in the newest */
export async function linkInMail(mail: string, email: string, count = 1): Promise<URL> {
  await expect.poll(async () => (await mailsTo(mail, email)).length).toBe(count);
  const [newest = ''] = await mailsTo(mail, email);
  return new URL(/https?:\S+\/accept_invitation\?\S+/.exec(newest)?.[0] ?? '');
}
