import {
  Body,
  Controller,
  Delete,
  Get,
  Header,
  HttpCode,
  Param,
  Patch,
  Post,
  Query,
  StreamableFile,
} from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { Status } from '@warren/proto/common/v1/common';
import { TenancyService, type User } from '@warren/proto/tenancy/v1/tenancy';
import { UsersService } from '@warren/proto/tenancy/v1/users';
import { CurrentCaller } from '../auth/caller.decorator.ts';
import { Describe, DescribeContent } from '../http/api.decorators.ts';
import { done, doneSchema } from '../http/done.ts';
import { idSchema, pageRequest } from '../http/schemas.ts';
import {
  changeUserBody,
  exportUsersQuery,
  listUsersQuery,
  userAnswerSchema,
  userJson,
  userListSchema,
  type ChangeUserBody,
  type ExportUsersQuery,
  type ListUsersQuery,
} from './user.schemas.ts';
import { usersCsv, USERS_EXAMPLE } from './users.csv.ts';
import { exportUsers } from './users.export.ts';

const WHO =
  'SuperAdmins and Owners; Admins for Admins and Members. Never yourself, and never the last active SuperAdmin (409).';

@ApiTags('users')
@Controller('api/users')
export class UsersController {
  constructor(
    @InjectRpc(TenancyService) private readonly tenancy: RpcClient<typeof TenancyService>,
    @InjectRpc(UsersService) private readonly users: RpcClient<typeof UsersService>,
  ) {}

  @Get()
  @Describe({ summary: 'Lists users.', answer: userListSchema, errors: [404] })
  async listUsers(@CurrentCaller() caller: Caller, @Query({ schema: listUsersQuery }) query: ListUsersQuery) {
    const { account: accountId, group: groupId } = query;
    const answer = await this.tenancy.listUsers(caller, { page: pageRequest(query), accountId, groupId });
    return { total: answer.total, users: answer.users.map(userJson) };
  }

  @Get('export')
  @Header('Content-Disposition', 'attachment; filename="users.csv"')
  @DescribeContent({
    summary: 'Exports every user that the filter shows as CSV. Text that looks like a formula is defused.',
    content: { 'text/csv': USERS_EXAMPLE },
    errors: [404],
  })
  async exportUsers(@CurrentCaller() caller: Caller, @Query({ schema: exportUsersQuery }) query: ExportUsersQuery) {
    const { account: accountId, group: groupId, search } = query;
    const users = await exportUsers(this.users, caller, { accountId, groupId, search });
    return new StreamableFile(usersCsv(users), { type: 'text/csv; charset=utf-8' });
  }

  @Get(':id')
  @Describe({ summary: 'Reads a user.', answer: userAnswerSchema, errors: [404] })
  async getUser(@CurrentCaller() caller: Caller, @Param('id', { schema: idSchema }) id: string) {
    const { user } = await this.users.getUser(caller, { id });
    return { result: userJson(user as User) };
  }

  @Patch(':id')
  @Describe({
    summary: 'Disables or enables a user, or moves one to another group.',
    description: `${WHO} Disabling ends sessions and terminals within two seconds. Owners are assigned, not moved into their group. Group rules may move a user of Members again at the next sign-in.`,
    answer: doneSchema,
    errors: [404, 409],
  })
  async changeUser(
    @CurrentCaller() caller: Caller,
    @Param('id', { schema: idSchema }) id: string,
    @Body({ schema: changeUserBody }) { status, group, old_group: oldGroupId, account }: ChangeUserBody,
  ) {
    if (status) {
      await this.users.setUserStatus(caller, { id, status: status === 'Active' ? Status.ACTIVE : Status.INACTIVE });
    } else {
      const move = { id, groupId: group ?? '', oldGroupId: oldGroupId ?? '', accountId: account ?? '' };
      await this.users.moveUser(caller, move);
    }
    return done('user successfully updated');
  }

  @Post(':id/reset_sign_in')
  @HttpCode(200)
  @Describe({
    summary: 'Unbinds a user from the identity of the sign-in.',
    description: `${WHO} Ends the user's sessions. The next sign-in with the e-mail binds: for people who move to another identity provider, or whose provider names them differently now. The audit trail keeps who did it.`,
    answer: doneSchema,
    errors: [404, 409],
  })
  async resetSignIn(@CurrentCaller() caller: Caller, @Param('id', { schema: idSchema }) id: string) {
    await this.users.resetSignIn(caller, { id });
    return done('sign-in successfully reset');
  }

  @Delete(':id')
  @Describe({ summary: 'Deletes a user.', description: WHO, answer: doneSchema, errors: [404, 409] })
  async deleteUser(@CurrentCaller() caller: Caller, @Param('id', { schema: idSchema }) id: string) {
    await this.users.deleteUser(caller, { id });
    return done('user successfully removed');
  }
}
