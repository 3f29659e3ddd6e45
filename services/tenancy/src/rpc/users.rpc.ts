import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Caller } from '@warren/platform/rpc/caller';
import { RpcServer } from '@warren/platform/rpc/rpc.server';
import type { RpcHandlers } from '@warren/platform/rpc/types';
import {
  UsersService,
  type DeleteUserRequest,
  type ExportUsersRequest,
  type GetPictureRequest,
  type GetUserRequest,
  type MoveUserRequest,
  type ResetSignInRequest,
  type SetUserStatusRequest,
  type UpdateProfileRequest,
} from '@warren/proto/tenancy/v1/users';
import { ProfilesService } from '../profiles/profiles.service.ts';
import { UserAdministration } from '../users/user.administration.ts';
import { UserExport } from '../users/user.export.ts';

/** UsersService on the bus. */
@Injectable()
export class UsersRpc implements RpcHandlers<typeof UsersService>, OnModuleInit {
  constructor(
    private readonly server: RpcServer,
    private readonly users: UserAdministration,
    private readonly profiles: ProfilesService,
    private readonly exports: UserExport,
  ) {}

  onModuleInit(): void {
    this.server.serve(UsersService, this);
  }

  getUser = (caller: Caller, request: GetUserRequest) => this.users.get(caller, request);
  setUserStatus = (caller: Caller, request: SetUserStatusRequest) => this.users.setStatus(caller, request);
  moveUser = (caller: Caller, request: MoveUserRequest) => this.users.move(caller, request);
  resetSignIn = (caller: Caller, request: ResetSignInRequest) => this.users.resetSignIn(caller, request);
  deleteUser = (caller: Caller, request: DeleteUserRequest) => this.users.delete(caller, request);
  updateProfile = (caller: Caller, request: UpdateProfileRequest) => this.profiles.update(caller, request);
  getPicture = (caller: Caller, request: GetPictureRequest) => this.profiles.picture(caller, request);
  exportUsers = (caller: Caller, request: ExportUsersRequest) => this.exports.part(caller, request);
}
