import type { MessageInitShape } from '@bufbuild/protobuf';
import { Inject, Injectable } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import { requireService, type Caller } from '@warren/platform/rpc/caller';
import type { DeviceSchema, FindWebPageResponseSchema } from '@warren/proto/devices/v1/devices';
import { DataSource } from 'typeorm';
import { viewableRights } from '../access/rights.ts';
import { scopeOf } from '../access/scope.ts';
import { asDevice, asPermissions, HTTP_HOST } from './device.row.ts';
import { DEVICE_DOMAIN } from './devices.service.ts';
import { readBySlug, readWebService } from './devices.sql.ts';

/** Finds devices by the address of their web service. The slug is the first label of the address. */
@Injectable()
export class WebServiceLookup {
  constructor(
    private readonly source: DataSource,
    @Inject(DEVICE_DOMAIN) private readonly domain: string,
  ) {}

  /** @throws Fault `not_found` if there is none, or if the caller may not see its account */
  async get(caller: Caller, { slug }: { slug: string }): Promise<{ device: MessageInitShape<typeof DeviceSchema> }> {
    const { accountId } = scopeOf(caller, '');
    const row = await readBySlug(this.source, slugText(slug), accountId);
    if (!row) throw notFound(slug);
    return { device: asDevice(row, this.domain, await viewableRights(this.source, caller, row, addressOf(slug))) };
  }

  /** For services that forward requests there; they decide who may open it. */
  async find(caller: Caller, { slug }: { slug: string }): Promise<MessageInitShape<typeof FindWebPageResponseSchema>> {
    requireService(caller, 'gateway', 'tunnels');
    const row = await readWebService(this.source, slugText(slug));
    if (!row) throw notFound(slug);
    return {
      deviceId: row.id,
      accountId: row.account_id,
      name: row.custom_name || row.name,
      enabled: row.http_enabled && row.active,
      ip: row.http_ip,
      port: row.http_port,
      host: HTTP_HOST[row.http_host],
      hostname: row.name,
      privateIp: row.private_ip,
      permissions: asPermissions(row.http_permissions),
    };
  }
}

/** PostgreSQL rejects NUL in a text; no slug has one. */
function slugText(slug: string): string {
  return slug.toLowerCase().replaceAll('\0', ' ');
}

function notFound(slug: string): Fault {
  return new Fault('not_found', `${addressOf(slug)}.`);
}

function addressOf(slug: string): string {
  return `device at the address ${slug.slice(0, 64)}`;
}
