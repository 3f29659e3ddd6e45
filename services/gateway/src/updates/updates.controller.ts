import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { listScope } from '@warren/platform/policy/policy';
import type { Caller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { RolloutsService } from '@warren/proto/devices/v1/rollouts';
import { CurrentCaller } from '../auth/caller.decorator.ts';
import { Describe } from '../http/api.decorators.ts';
import { AgentPackages } from '../install/agent.packages.ts';
import semver from 'semver';
import {
  agentVersionListSchema,
  agentVersionsQuery,
  listReleasesQuery,
  releaseListSchema,
  type AgentVersionsQuery,
  type ListReleasesQuery,
} from './update.schemas.ts';

/** Which versions of the agent there are, and which ones devices run. */
@ApiTags('updates')
@Controller('api/updates')
export class UpdatesController {
  constructor(
    @InjectRpc(RolloutsService) private readonly rollouts: RpcClient<typeof RolloutsService>,
    private readonly packages: AgentPackages,
  ) {}

  @Get('releases')
  @Describe({
    summary: 'Lists the versions of the agent that this hub has for devices.',
    description: 'SuperAdmins. Only those that the release key has signed.',
    answer: releaseListSchema,
  })
  async listReleases(
    @CurrentCaller() caller: Caller,
    @Query({ schema: listReleasesQuery }) { than }: ListReleasesQuery,
  ) {
    listScope(caller, 'updates.manage', '');
    const [releases, { version: installed }] = await Promise.all([this.packages.releases(), this.packages.release()]);
    return {
      releases: releases.map(({ version, packages }) => ({
        version,
        packages: packages.map(({ os, arch, size }) => ({ os, arch, size })),
      })),
      installed,
      newer: newerThan(than, releases[0]?.version ?? installed),
    };
  }

  @Get('versions')
  @Describe({
    summary: 'Counts the devices that you may see by the version of their agent.',
    answer: agentVersionListSchema,
    errors: [404],
  })
  async listAgentVersions(
    @CurrentCaller() caller: Caller,
    @Query({ schema: agentVersionsQuery }) query: AgentVersionsQuery,
  ) {
    const { versions } = await this.rollouts.listAgentVersions(caller, { accountId: query.account });
    return { versions: versions.map(({ version, devices, connected }) => ({ version, devices, connected })) };
  }
}

/** The version that a device reports is untrusted; no version counts as newer than an invalid one. */
function newerThan(reported: string, newest: string): string {
  const version = semver.valid(reported);
  return version !== null && semver.gt(newest, version) ? newest : '';
}
