/** A service whose answers take a moment. Run by Node itself, on what was compiled: `node slow.process.ts`. */
import 'reflect-metadata';
import { Module, type INestApplication } from '@nestjs/common';
import { commonConfig } from '@warren/platform/config/common';
import { defineService, runService } from '@warren/platform/service/run';
import { ServiceModule } from '@warren/platform/service/service.module';
import type { ServerResponse } from 'node:http';

const ANSWER_MS = 50;

const slow = defineService({
  name: 'slow',
  config: (environment) => commonConfig.parse(environment),
  module: (config) => {
    class SlowModule {}
    Module({ imports: [ServiceModule.forRoot({ name: 'slow', config })] })(SlowModule);
    return SlowModule;
  },
  listen: (app: INestApplication) => {
    app.use((_: unknown, response: ServerResponse) => void setTimeout(() => response.end('slow'), ANSWER_MS));
    return app.listen(Number(process.env['PORT']), '127.0.0.1');
  },
});

await runService(slow, process.env);
