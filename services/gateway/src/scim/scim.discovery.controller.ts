import { Controller, Get, Header, Inject, Param, UseGuards } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Fault } from '@warren/platform/errors/fault';
import { GATEWAY_CONFIG, type GatewayConfig } from '../config.ts';
import { providerConfig, resourceTypes, schemaDefinitions } from './scim.definitions.ts';
import { SCIM_TYPE } from '../http/scim.fault.ts';
import { ScimGuard } from './scim.guard.ts';
import { listJson } from './scim.json.ts';

/** What SCIM can do here (RFC 7644, section 4). SCIM describes itself, so that the OpenAPI document leaves it out. */
@ApiExcludeController()
@UseGuards(ScimGuard)
@Controller('scim/v2')
export class ScimDiscoveryController {
  private readonly hub: string;

  constructor(@Inject(GATEWAY_CONFIG) { HUB_URL }: Pick<GatewayConfig, 'HUB_URL'>) {
    this.hub = HUB_URL;
  }

  @Get('ServiceProviderConfig')
  @Header('Content-Type', SCIM_TYPE)
  getScimConfig() {
    return providerConfig(this.hub);
  }

  @Get('ResourceTypes')
  @Header('Content-Type', SCIM_TYPE)
  listScimTypes() {
    return all(resourceTypes(this.hub));
  }

  @Get('ResourceTypes/:id')
  @Header('Content-Type', SCIM_TYPE)
  getScimType(@Param('id') id: string) {
    return one(resourceTypes(this.hub), id);
  }

  @Get('Schemas')
  @Header('Content-Type', SCIM_TYPE)
  listScimSchemas() {
    return all(schemaDefinitions(this.hub));
  }

  @Get('Schemas/:id')
  @Header('Content-Type', SCIM_TYPE)
  getScimSchema(@Param('id') id: string) {
    return one(schemaDefinitions(this.hub), id);
  }
}

const all = <T>(resources: readonly T[]) => listJson(resources, { total: resources.length, offset: 0 });

function one<T extends { id: string }>(resources: readonly T[], id: string): T {
  const found = resources.find((resource) => resource.id.toLowerCase() === id.toLowerCase());
  if (!found) throw new Fault('not_found', `${id.slice(0, 64)}.`);
  return found;
}
