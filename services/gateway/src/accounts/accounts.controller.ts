import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { Status } from '@warren/proto/common/v1/common';
import { TenancyService, type Account } from '@warren/proto/tenancy/v1/tenancy';
import { CurrentCaller } from '../auth/caller.decorator.ts';
import { requireOwnPerson } from '../auth/own.person.ts';
import { Describe } from '../http/api.decorators.ts';
import { done, doneSchema } from '../http/done.ts';
import { statusSchema } from '../http/enums.ts';
import { idSchema, pageRequest } from '../http/schemas.ts';
import {
  accountAnswerSchema,
  accountJson,
  accountListSchema,
  accountMadeSchema,
  assignOwnerBody,
  listAccountsQuery,
  newAccountBody,
  ownerAssignedSchema,
  type AssignOwnerBody,
  type ListAccountsQuery,
  type NewAccountBody,
} from './account.schemas.ts';

/** What is done to every person of an account may take a while, in milliseconds. */
const SLOW = { timeoutMs: 20_000 };

@ApiTags('accounts')
@Controller('api/accounts')
export class AccountsController {
  constructor(@InjectRpc(TenancyService) private readonly tenancy: RpcClient<typeof TenancyService>) {}

  @Get()
  @Describe({ summary: 'Lists accounts, by name.', answer: accountListSchema })
  async listAccounts(@CurrentCaller() caller: Caller, @Query({ schema: listAccountsQuery }) query: ListAccountsQuery) {
    const answer = await this.tenancy.listAccounts(caller, { page: pageRequest(query) });
    return { total: answer.total, accounts: answer.accounts.map(accountJson) };
  }

  @Get(':id')
  @Describe({
    summary: 'Reads an account: any for operators, their own for others.',
    answer: accountAnswerSchema,
    errors: [404],
  })
  async getAccount(@CurrentCaller() caller: Caller, @Param('id', { schema: idSchema }) id: string) {
    const { account } = await this.tenancy.getAccount(caller, { id });
    return { result: accountJson(account as Account) };
  }

  @Post('new')
  @Describe({
    summary: 'Makes an account with its default groups.',
    description: 'SuperAdmins. Names are unique whatever their case.',
    answer: accountMadeSchema,
    status: 201,
    errors: [409],
  })
  async createAccount(@CurrentCaller() caller: Caller, @Body({ schema: newAccountBody }) body: NewAccountBody) {
    requireOwnPerson(caller, 'identity', body.identity);
    const { account } = await this.tenancy.createAccount(caller, { name: body.name });
    return { ...done('account successfully created'), account: accountJson(account as Account) };
  }

  @Post('assign')
  @HttpCode(200)
  @Describe({
    summary: 'Makes a person the owner of an account.',
    description:
      'SuperAdmins. A user of the account becomes the owner at once, an unknown e-mail is invited. The owner before becomes an admin. 409 for a user of another account, a disabled user and the operator account.',
    answer: ownerAssignedSchema,
    errors: [404, 409],
  })
  async assignOwner(@CurrentCaller() caller: Caller, @Body({ schema: assignOwnerBody }) body: AssignOwnerBody) {
    requireOwnPerson(caller, 'sender', body.sender);
    const { account: accountId, owner: email, is_new: isNew } = body;
    const { invited } = await this.tenancy.assignOwner(caller, { accountId, email, newOwner: isNew === 'new' });
    return { ...done('owner successfully assigned'), invited };
  }

  @Patch(':id/status/:status')
  @Describe({
    summary: 'Disables or enables an account.',
    description:
      'SuperAdmins; not the operator account (409). Disabling ends the sessions and terminals of its people and the terminals of its devices within two seconds.',
    answer: doneSchema,
    errors: [404, 409],
  })
  async setAccountStatus(
    @CurrentCaller() caller: Caller,
    @Param('id', { schema: idSchema }) id: string,
    @Param('status', { schema: statusSchema }) status: 'Active' | 'Inactive',
  ) {
    const wanted = status === 'Active' ? Status.ACTIVE : Status.INACTIVE;
    await this.tenancy.setAccountStatus(caller, { id, status: wanted }, SLOW);
    return done('account successfully updated');
  }

  @Delete(':id')
  @Describe({
    summary: 'Deletes an account with its users, groups, invitations and devices. There is no way back.',
    description: 'SuperAdmins; not the operator account (409).',
    answer: doneSchema,
    errors: [404, 409],
  })
  async deleteAccount(@CurrentCaller() caller: Caller, @Param('id', { schema: idSchema }) id: string) {
    await this.tenancy.deleteAccount(caller, { id }, SLOW);
    return done('account successfully removed');
  }
}
