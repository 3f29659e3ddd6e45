import { once } from 'node:events';
import { createServer } from 'node:http';
import { main, serve } from '../listen.ts';
import { mailApp } from './app.ts';
import { Box } from './box.ts';
import { mailConfig } from './config.ts';
import { catcher } from './smtp.ts';

main(async () => {
  const config = mailConfig(process.env);
  const box = new Box();
  const smtp = catcher(box);
  smtp.on('error', (error: Error) => process.stderr.write(`${error.message}\n`));
  const listening = smtp.listen(config.SMTP_PORT, config.HOST);
  await once(listening, 'listening');
  await serve(createServer(mailApp(box)), config.HOST, config.PORT);
});
