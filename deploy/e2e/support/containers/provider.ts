import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Certificate } from '@warren/infra/certificates';
import { idpApp } from '@warren/local/idp/app';
import { signingKeys } from '@warren/local/idp/keys';
import { metadata } from '@warren/local/idp/saml';

/** An identity provider with a separate address and keys, over https as production requires. */
export async function serveProvider(
  at: string,
  hubUrl: string,
  email: string,
  certificate: Certificate,
  folder: string,
) {
  const issuer = { ...(await signingKeys(folder)), issuer: `${at}/metadata` };
  const person = { email, name: 'Olive Operator', role: 'SuperAdmin', account: 'Operator' };
  const app = idpApp({ ...issuer, hubUrl, people: () => Promise.resolve([person]) });
  const [cert, key] = await Promise.all([readFile(certificate.cert), readFile(certificate.key)]);
  const server = createServer({ cert, key }, app);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = () => {
    server.close();
    server.closeAllConnections();
  };
  return { port: (server.address() as AddressInfo).port, metadata: metadata(issuer), stop };
}
