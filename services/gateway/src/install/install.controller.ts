import { Controller, Get, Inject, Param, Query, Req, Res, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Fault } from '@warren/platform/errors/fault';
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
import { InstallFilter } from './install.filter.ts';
import { installScript } from './install.script.ts';
import type { Release } from './signed.manifest.ts';

/** What a device fetches to become one of ours. */
@ApiExcludeController()
@Controller('install')
export class InstallController {
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
    if (!release) throw new Fault('not_found', `version ${JSON.stringify(version.slice(0, 100))}.`);
    await this.give(release, name, request, response);
  }

  @Get(':account')
  @UseFilters(InstallFilter)
  async getInstaller(
    @Param('account') account: string,
    @Query('token') token: unknown,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const script = await this.script(account, token, requestIdOf(request));
    response.type('text/x-shellscript').send(script);
  }

  private async give(release: Release, name: string, request: Request, response: Response): Promise<void> {
    // A release may keep the name, so a copy is good only for as long as its content is the same.
    response.setHeader('Cache-Control', 'public, no-cache');
    const found = fileOf(release, name);
    if (!found) throw new Fault('not_found', `package ${JSON.stringify(name.slice(0, 100))}.`);
    if (found.sha256 !== undefined) {
      response.setHeader('Content-Type', 'application/octet-stream');
      response.setHeader('ETag', `"${found.sha256}"`);
    }
    const options = { root: release.folder, cacheControl: false, etag: false, lastModified: false };
    await new Promise<void>((resolve, reject) => {
      response.sendFile(found.file, options, (error) => {
        // A device that hangs up half-way is its own business.
        if (!error || request.destroyed || response.headersSent) return resolve();
        if ('status' in error && error.status === 416) return resolve(void response.status(416).end());
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
}
