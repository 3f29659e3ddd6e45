import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Fault } from '@warren/platform/errors/fault';
import type { Caller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { SavedFiltersService } from '@warren/proto/devices/v1/filters';
import { CurrentCaller } from '../auth/caller.decorator.ts';
import { Describe } from '../http/api.decorators.ts';
import { done, doneSchema } from '../http/done.ts';
import { idSchema } from '../http/schemas.ts';
import {
  contentMessage,
  listFiltersQuery,
  ownerMessage,
  replaceFilterBody,
  saveFilterBody,
  savedFilterAnswerSchema,
  savedFilterJson,
  savedFilterListSchema,
  type ListFiltersQuery,
  type ReplaceFilterBody,
  type SaveFilterBody,
} from './saved-filters.schemas.ts';

/** Saved filters of devices. */
@ApiTags('devices')
@Controller('api/filters')
export class SavedFiltersController {
  constructor(@InjectRpc(SavedFiltersService) private readonly filters: RpcClient<typeof SavedFiltersService>) {}

  @Get()
  @Describe({
    summary: 'Lists your saved filters, and those that an account shares.',
    answer: savedFilterListSchema,
    errors: [404],
  })
  async listSavedFilters(
    @CurrentCaller() caller: Caller,
    @Query({ schema: listFiltersQuery }) { account: accountId, uses: withUses }: ListFiltersQuery,
  ) {
    const { filters } = await this.filters.listSavedFilters(caller, { accountId, withUses });
    return { filters: filters.map((filter) => savedFilterJson(filter, withUses)) };
  }

  @Post()
  @Describe({
    summary: 'Saves a filter, with the order and the columns of the list.',
    description:
      'For yourself, or for an account: SuperAdmins, and Owners and Admins for their account. At most 100 for a person, and for an account.',
    answer: savedFilterAnswerSchema,
    status: 201,
    errors: [404, 409],
  })
  async saveFilter(@CurrentCaller() caller: Caller, @Body({ schema: saveFilterBody }) body: SaveFilterBody) {
    const { filter } = await this.filters.saveFilter(caller, {
      filter: { ...contentMessage(body), ...ownerMessage(body) },
    });
    if (!filter) throw new Fault('not_found', `filter ${body.name}.`);
    return { ...done('filter successfully saved'), result: savedFilterJson(filter) };
  }

  @Put(':id')
  @Describe({
    summary: 'Replaces a saved filter.',
    description:
      'Keeps scope, account and key. Needs the permission to save it, and `grants.manage` if grants use it. 409 if a filter that uses it ' +
      'would become invalid.',
    answer: savedFilterAnswerSchema,
    errors: [404, 409],
  })
  async replaceFilter(
    @CurrentCaller() caller: Caller,
    @Param('id', { schema: idSchema }) id: string,
    @Body({ schema: replaceFilterBody }) body: ReplaceFilterBody,
  ) {
    const { filter } = await this.filters.saveFilter(caller, { filter: { id, ...contentMessage(body) } });
    if (!filter) throw new Fault('not_found', `filter ${id}.`);
    return { ...done('filter successfully changed'), result: savedFilterJson(filter) };
  }

  @Delete(':id')
  @Describe({
    summary: 'Deletes a saved filter.',
    description: 'Needs the permission to save it. 409 while it is in use.',
    answer: doneSchema,
    errors: [404, 409],
  })
  async deleteFilter(@CurrentCaller() caller: Caller, @Param('id', { schema: idSchema }) id: string) {
    await this.filters.deleteSavedFilter(caller, { id });
    return done('filter successfully deleted');
  }
}
