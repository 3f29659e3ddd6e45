import { Body, Controller, Get, Param, Patch, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import type { User } from '@warren/proto/tenancy/v1/tenancy';
import { UsersService } from '@warren/proto/tenancy/v1/users';
import type { Response } from 'express';
import { CurrentCaller } from '../auth/caller.decorator.ts';
import { Describe, DescribeContent } from '../http/api.decorators.ts';
import { done } from '../http/done.ts';
import { idSchema } from '../http/schemas.ts';
import { userJson } from '../users/user.schemas.ts';
import { squarePicture } from './picture.ts';
import {
  pictureQuery,
  profileAnswerSchema,
  profileBody,
  type PictureQuery,
  type ProfileBody,
} from './profile.schemas.ts';

/** What people change of themselves. */
@ApiTags('profile')
@Controller('api')
export class ProfileController {
  constructor(@InjectRpc(UsersService) private readonly users: RpcClient<typeof UsersService>) {}

  @Patch('profile')
  @Describe({
    summary: 'Changes your own name or picture.',
    description: "What is not given stays. The e-mail is the identity provider's.",
    answer: profileAnswerSchema,
  })
  async updateProfile(@CurrentCaller() caller: Caller, @Body({ schema: profileBody }) body: ProfileBody) {
    const picture = body.picture?.length ? await squarePicture(body.picture) : body.picture;
    const { user } = await this.users.updateProfile(caller, {
      ...(body.name === undefined ? {} : { name: body.name }),
      ...(picture === undefined ? {} : { picture }),
    });
    return { ...done('profile successfully updated'), result: userJson(user as User) };
  }

  @Get('pictures/:id')
  @DescribeContent({ summary: "Reads a user's picture.", content: { 'image/webp': null }, errors: [404] })
  async getPicture(
    @CurrentCaller() caller: Caller,
    @Param('id', { schema: idSchema }) userId: string,
    @Query({ schema: pictureQuery }) { v }: PictureQuery,
    @Res() response: Response,
  ): Promise<void> {
    const { content } = await this.users.getPicture(caller, { userId });
    // The address changes with the picture, so a versioned response may be cached.
    response.setHeader('Cache-Control', v === '' ? 'private, no-cache' : 'private, max-age=31536000, immutable');
    response.type('image/webp').send(Buffer.from(content));
  }
}
