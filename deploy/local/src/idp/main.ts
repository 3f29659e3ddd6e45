import { rename, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { main, serve } from '../listen.ts';
import { idpApp } from './app.ts';
import { idpConfig } from './config.ts';
import { signingKeys } from './keys.ts';
import { readPeople } from './people.ts';
import { metadata } from './saml.ts';

main(async () => {
  const config = idpConfig(process.env);
  const issuer = { ...(await signingKeys(config.IDP_DIR)), issuer: `${config.IDP_URL}/metadata` };
  if (config.IDP_METADATA) {
    await writeFile(`${config.IDP_METADATA}.new`, metadata(issuer));
    await rename(`${config.IDP_METADATA}.new`, config.IDP_METADATA);
  }
  const app = idpApp({ ...issuer, hubUrl: config.HUB_URL, people: () => readPeople(config.IDP_PEOPLE) });
  await serve(createServer(app), config.HOST, config.PORT);
});
