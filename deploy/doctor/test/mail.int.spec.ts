import { afterEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { checkMail } from '../src/checks/mail.ts';
import { readOptions } from '../src/options.ts';

const FROM = 'Warren <hub@nobody.invalid>';

describe('the mail server', () => {
  const open: { close: (done: () => void) => unknown }[] = [];
  afterEach(async () => {
    for (const server of open.splice(0)) await new Promise<void>((resolve) => server.close(resolve));
  });

  /** @returns where it listens */
  async function serve(options: SMTPServerOptions): Promise<string> {
    const server = new SMTPServer({
      authOptional: true,
      disableReverseLookup: true,
      logger: false,
      onAuth: ({ username, password }, _session, done) =>
        password === 'right' ? done(null, { user: username }) : done(new Error('Invalid username or password')),
      ...options,
    });
    server.on('error', () => {});
    server.listen(0, '127.0.0.1');
    open.push(server);
    await once(server.server, 'listening');
    return `127.0.0.1:${(server.server.address() as AddressInfo).port}`;
  }
  const look = async (url: string) => {
    const [first] = await checkMail(readOptions({ HUB_URL: 'https://hub.test', SMTP_URL: url, MAIL_FROM: FROM }));
    return first;
  };

  it('is reached, and takes the user; on this machine it needs no TLS', async () => {
    const at = await serve({ hideSTARTTLS: true, allowInsecureAuth: true });
    expect(await look(`smtp://${at}`)).toMatchObject({ status: 'ok', detail: `${at} answers` });
    const named = await look(`smtp://hub%40a.test:right@${at}`);
    expect(named).toMatchObject({ status: 'ok', detail: `${at} answers, and takes hub@a.test` });
  });

  it('does not take the user, who is not shown with the password', async () => {
    const at = await serve({ hideSTARTTLS: true, allowInsecureAuth: true });
    const found = await look(`smtp://hub:wrong-secret@${at}`);
    expect(found).toMatchObject({ status: 'fail', advice: 'See the user and password in SMTP_URL.' });
    expect(JSON.stringify(found)).not.toContain('wrong-secret');
  });

  it('has an untrusted certificate', async () => {
    const at = await serve({});
    expect(await look(`smtp://${at}`)).toMatchObject({
      status: 'fail',
      detail: expect.stringMatching(/certificate/),
      advice: expect.stringMatching(/NODE_EXTRA_CA_CERTS/),
    });
  });

  it('is not there, or has to have TLS and does not', async () => {
    const closed: Server = createServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const { port } = closed.address() as AddressInfo;
    await new Promise((resolve) => closed.close(resolve));
    expect(await look(`smtp://127.0.0.1:${port}`)).toMatchObject({
      status: 'fail',
      detail: expect.stringMatching(/ECONNREFUSED/),
    });
    const at = await serve({ hideSTARTTLS: true });
    expect(await look(`smtp://${at}?requireTLS=true`)).toMatchObject({ status: 'fail' });
  });

  it('sends for a domain that takes no mail', async () => {
    const at = await serve({ hideSTARTTLS: true });
    const options = readOptions({ HUB_URL: 'https://hub.test', SMTP_URL: `smtp://${at}`, MAIL_FROM: FROM });
    expect(await checkMail(options)).toContainEqual(
      expect.objectContaining({
        status: 'warn',
        detail: 'mail comes from hub@nobody.invalid, and nobody.invalid takes none',
      }),
    );
  });
});
