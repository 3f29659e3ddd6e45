import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { makeAuthority } from '@warren/infra/certificates';
import { MailServer } from '@warren/infra/mail';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { failureText } from '../src/mail/failure.ts';
import { Mailer } from '../src/mail/mailer.ts';

describe('a mail', () => {
  const server = new MailServer();
  beforeAll(() => server.start());
  afterAll(() => server.stop());

  async function send(smtpUrl: string, to: string): Promise<string> {
    const mailer = new Mailer({ smtpUrl, from: 'Warren <no-reply@hub.test>', hub: 'https://hub.test' });
    try {
      await mailer.send({ to, subject: 'Grüße', text: 'Text', html: '<p>Text</p>' });
      return 'sent';
    } catch (error) {
      return failureText(error);
    } finally {
      mailer.onApplicationShutdown();
    }
  }

  it('goes by STARTTLS, from the user of the mail server', async () => {
    expect(await send(server.url, 'ada@example.test')).toBe('sent');
    expect(server.to('ada@example.test')).toMatchObject([
      { from: 'no-reply@hub.test', user: 'hub@mail.test', encrypted: true },
    ]);
  });

  it('is not sent with a wrong password', async () => {
    expect(await send(server.urlOf({ password: 'wrong-secret' }), 'bob@example.test')).toBe(
      'The mail server does not let the hub in.',
    );
    expect(server.to('bob@example.test')).toEqual([]);
  });

  it('is not sent to a server that is not known, nor is the password', async () => {
    const before = server.signIns;
    const folder = await mkdtemp(join(tmpdir(), 'warren-mailer-'));
    try {
      const ca = await readFile((await makeAuthority(folder)).ca, 'utf8');
      expect(await send(server.urlOf({ ca }), 'carl@example.test')).not.toBe('sent');
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
    expect(server.to('carl@example.test')).toEqual([]);
    expect(server.signIns).toBe(before);
  });

  it('is not sent without encryption where that is required', async () => {
    const heard: string[] = [];
    const plain: Server = createServer((socket) => {
      socket.on('error', () => {});
      socket.write('220 plain.test ESMTP\r\n');
      socket.on('data', (data) => {
        heard.push(data.toString());
        // It knows no STARTTLS.
        socket.write(data.toString().startsWith('EHLO') ? '250-plain.test\r\n250 AUTH PLAIN\r\n' : '502 Unknown\r\n');
      });
    });
    await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = plain.address() as AddressInfo;
      const url = `smtp://hub:secret@127.0.0.1:${port}?requireTLS=true`;
      expect(await send(url, 'dora@example.test')).toBe('The mail server offers no secure connection.');
      expect(heard.join('')).not.toMatch(/AUTH|MAIL/);
    } finally {
      await new Promise((resolve) => plain.close(resolve));
    }
  });
});
