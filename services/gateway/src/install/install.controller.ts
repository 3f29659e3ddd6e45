import { Controller, Get, Inject, Logger, Param, Query, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Fault, HTTP_STATUS } from '@warren/platform/errors/fault';
import { serviceCaller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { DevicesService } from '@warren/proto/devices/v1/devices';
import type { Request, Response } from 'express';
import { GATEWAY_CONFIG, type GatewayConfig } from '../config.ts';
import { requestIdOf } from '../http/request.id.ts';
import { idSchema } from '../http/schemas.ts';
import { AgentPackages, fileOf } from './agent.packages.ts';
import { enrolmentTokenText } from './enrolment.token.ts';
import { installScript, refusalScript } from './install.script.ts';
import type { Release } from './signed.manifest.ts';

const NO_TOKEN = [
  'Warren: this address needs an enrolment token, and there is none, or only a part of one.',
  'Warren: open the console, choose Add device, and run the command that it shows.',
];
const NEXT = 'Open the console, choose Add device, and run the command that it shows.';
const [REFUSED, UNAVAILABLE] = [77, 69];
const DOWN = ['Warren: the hub cannot install a device right now. Try again in a minute.'];

/** What a device fetches to become one of ours. Addresses for curl, so a refusal is a script that says why. */
@ApiExcludeController()
@Controller('install')
export class InstallController {
  private readonly log = new Logger(InstallController.name);

  constructor(
    @InjectRpc(DevicesService) private readonly devices: RpcClient<typeof DevicesService>,
    @Inject(GATEWAY_CONFIG) private readonly config: Pick<GatewayConfig, 'HUB_URL'>,
    private readonly packages: AgentPackages,
  ) {}

  @Get('packages/:file')
  async getPackage(@Param('file') name: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    await this.give(await this.packages.release(), name, request, response);
  }

  /** What an agent that is offered this version downloads. */
  @Get('releases/:version/:file')
  async getRelease(
    @Param('version') version: string,
    @Param('file') name: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const release = await this.packages.find(version);
    if (!release) throw new Fault('not_found', `Not found: version ${JSON.stringify(version.slice(0, 100))}.`);
    await this.give(release, name, request, response);
  }

  @Get(':account')
  async getInstaller(
    @Param('account') account: string,
    @Query('token') token: unknown,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    response.type('text/x-shellscript');
    try {
      response.send(await this.script(account, token, requestIdOf(request)));
    } catch (error) {
      this.refuse(error, response);
    }
  }

  private async give(release: Release, name: string, request: Request, response: Response): Promise<void> {
    // A release may keep the name, so a copy is good only for as long as its content is the same.
    response.setHeader('Cache-Control', 'public, no-cache');
    const found = fileOf(release, name);
    if (!found) throw new Fault('not_found', `Not found: package ${JSON.stringify(name.slice(0, 100))}.`);
    if (found.sha256 !== undefined) {
      response.setHeader('Content-Type', 'application/octet-stream');
      response.setHeader('ETag', `"${found.sha256}"`);
    }
    const options = { root: release.folder, cacheControl: false, etag: false, lastModified: false };
    await new Promise<void>((resolve, reject) => {
      response.sendFile(found.file, options, (error) => {
        // A device that hangs up half-way is its own business.
        if (!error || request.destroyed || response.headersSent) return resolve();
        reject(new Fault('unavailable', `${found.file} cannot be read.`, { cause: error }));
      });
    });
  }

  private async script(account: string, token: unknown, requestId: string): Promise<string> {
    const [accountId, good] = [idSchema.safeParse(account).data, enrolmentTokenText.safeParse(token).data];
    if (!accountId || !good) throw new Fault('invalid_argument', 'No token.');
    await this.devices.checkEnrolmentToken(serviceCaller('gateway', requestId), { accountId, token: good });
    const [template, { packages, releaseKey }] = await Promise.all([this.packages.template(), this.packages.release()]);
    return installScript(template, { hub: this.config.HUB_URL, accountId, token: good, packages, releaseKey });
  }

  private refuse(error: unknown, response: Response): void {
    const fault = error instanceof Fault ? error : new Fault('internal', 'The installer failed.', { cause: error });
    const status = HTTP_STATUS[fault.code];
    if (status >= 500) {
      this.log.error({ err: error }, 'The installer could not be made.');
      response.setHeader('Retry-After', String(fault.retryAfter ?? 30));
      response.status(503).send(refusalScript(DOWN, UNAVAILABLE));
    } else if (fault.code === 'unauthenticated') {
      // The command that people run drops the body of a 401 (curl -f), and its shell would end well, having read nothing.
      response.send(refusalScript([`warren: ${fault.message} ${NEXT}`], REFUSED));
    } else {
      response.status(401).send(refusalScript(NO_TOKEN, REFUSED));
    }
  }
}
