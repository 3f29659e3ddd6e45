import { Module } from '@nestjs/common';
import { AccessRights } from './access.rights.ts';
import { RecentAccessChanges } from './recent.changes.ts';

/** What users may do with devices. */
@Module({ providers: [AccessRights, RecentAccessChanges], exports: [AccessRights, RecentAccessChanges] })
export class AccessModule {}
