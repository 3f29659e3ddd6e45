import { Controller, Get, Param, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Fault } from '@warren/platform/errors/fault';
import type { Response } from 'express';
import absolutePath from 'swagger-ui-dist/absolute-path.js';
import { DocsService } from './docs.service.ts';

/** The files of Swagger UI that its page needs; the rest of the package is not served. */
const ASSETS: ReadonlySet<string> = new Set(['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png']);

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Warren API</title>
    <link rel="icon" href="/api/docs/assets/favicon-32x32.png">
    <link rel="stylesheet" href="/api/docs/assets/swagger-ui.css">
  </head>
  <body>
    <div id="api"></div>
    <script src="/api/docs/assets/swagger-ui-bundle.js"></script>
    <script src="/api/docs/start.js"></script>
  </body>
</html>
`;

/**
 * A separate file, because the hub's pages run no inline scripts. It begins with the list of subjects; a list of all schemas below, which
 * operations show anyway, would take most of the time until then.
 */
const START = `SwaggerUIBundle({
  url: '/api/openapi.json',
  dom_id: '#api',
  deepLinking: true,
  docExpansion: 'none',
  defaultModelsExpandDepth: -1,
  tryItOutEnabled: true,
});
`;

/** The API's description, for people (`/api/docs`) and for programs (`/api/openapi.json`). */
@ApiExcludeController()
@Controller('api')
export class DocsController {
  constructor(private readonly docs: DocsService) {}

  @Get('openapi.json')
  getDocument() {
    return this.docs.document;
  }

  @Get('docs')
  getPage(@Res() response: Response): void {
    response.type('html').send(PAGE);
  }

  @Get('docs/start.js')
  getStart(@Res() response: Response): void {
    response.type('js').send(START);
  }

  @Get('docs/assets/:file')
  getAsset(@Param('file') file: string, @Res() response: Response): void {
    if (!ASSETS.has(file)) throw new Fault('not_found', `${JSON.stringify(file.slice(0, 100))}.`);
    response.sendFile(file, { root: absolutePath(), maxAge: '1h' });
  }
}
