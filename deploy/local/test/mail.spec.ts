import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createTransport } from 'nodemailer';
import type { SMTPServer } from 'smtp-server';
import { mailApp } from '../src/mail/app.ts';
import { Box, kept } from '../src/mail/box.ts';
import { mailConfig } from '../src/mail/config.ts';
import { catcher } from '../src/mail/smtp.ts';

const box = new Box();
let smtp: SMTPServer;
let web: Server;
let url: string;
let send: ReturnType<typeof createTransport>;

const portOf = (server: { address(): unknown }) => (server.address() as AddressInfo).port;

beforeAll(async () => {
  smtp = catcher(box);
  const listening = smtp.listen(0, '127.0.0.1');
  web = createServer(mailApp(box)).listen(0, '127.0.0.1');
  await Promise.all([once(listening, 'listening'), once(web, 'listening')]);
  url = `http://127.0.0.1:${portOf(web)}`;
  send = createTransport({ host: '127.0.0.1', port: portOf(smtp.server) });
});
afterAll(async () => {
  send.close();
  web.close();
  web.closeAllConnections();
  await new Promise<void>((resolve) => smtp.close(() => resolve()));
});
beforeEach(() => box.clear());

const letter = {
  from: 'warren@warren.example',
  to: 'Ada@warren.example, bob@warren.example',
  subject: 'Grüße <b>to you</b>',
  text: 'Follow http://localhost:8080/accept_invitation?email=a&token=b',
  html: '<p onclick="x()">Follow <a href="http://localhost:8080/x">this</a></p><script>alert(1)</script>',
};
const messages = async (query = '') =>
  (await (await fetch(`${url}/api/messages${query}`)).json()) as { total: number; messages: { id: string }[] };

describe('the mail catcher', () => {
  it('keeps a letter whole, for tests to read', async () => {
    await send.sendMail(letter);
    const {
      total,
      messages: [caught],
    } = await messages();
    expect(total).toBe(1);
    expect(caught).toMatchObject({
      from: 'warren@warren.example',
      to: ['Ada@warren.example', 'bob@warren.example'],
      subject: letter.subject,
      text: expect.stringContaining('/accept_invitation?email=a&token=b'),
      html: expect.stringContaining('<a href="http://localhost:8080/x">'),
    });
    expect((await messages('?to=ADA@warren.example')).total).toBe(1);
    expect((await messages('?to=eve@warren.example')).total).toBe(0);
  });

  it('shows it, with no way for its HTML to run a script', async () => {
    await send.sendMail(letter);
    const list = await (await fetch(url)).text();
    expect(list).toContain('Grüße &lt;b&gt;to you&lt;/b&gt;');
    const [caught] = (await messages()).messages;
    const shown = await fetch(`${url}/messages/${caught?.id}`);
    expect(await shown.text()).toMatch(/<iframe[^>]* sandbox="(?!.*allow-scripts)/s);
    const frame = await fetch(`${url}/messages/${caught?.id}/html`);
    expect(frame.headers.get('content-security-policy')).toMatch(/^sandbox (?!.*allow-scripts).*default-src 'none'/);
  });

  it('refuses a letter that is too large', async () => {
    await expect(send.sendMail({ ...letter, text: 'x'.repeat(11 * 1024 * 1024) })).rejects.toThrow(/exceeds|larger/i);
    expect((await messages()).total).toBe(0);
  });

  it('keeps the last 500', async () => {
    for (let n = 0; n <= kept; n++)
      await box.add({ from: 'a@b.c', to: ['d@e.f'] }, Buffer.from(`Subject: ${n}\r\n\r\ntext`));
    expect(box.list()).toHaveLength(kept);
    expect(box.list()[0]?.subject).toBe(String(kept));
    expect(box.list().at(-1)?.subject).toBe('1');
  });

  it('listens on loopback only, unless configured otherwise', () => {
    expect(() => mailConfig({ HOST: '0.0.0.0' })).toThrow(/HOST: .*loopback/);
  });
});
