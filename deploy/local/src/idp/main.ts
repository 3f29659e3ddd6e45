import { createServer } from 'node:http';
import { main, serve } from '../listen.ts';
import { idpApp } from './app.ts';
import { idpConfig } from './config.ts';
import { signingKeys } from './keys.ts';
import { readPeople } from './people.ts';

main(async () => {
  const config = idpConfig(process.env);
  const app = idpApp({
    ...(await signingKeys(config.IDP_DIR)),
    issuer: `${config.IDP_URL}/metadata`,
    hubUrl: config.HUB_URL,
    people: () => readPeople(config.IDP_PEOPLE),
  });
  await serve(createServer(app), config.HOST, config.PORT);
});
