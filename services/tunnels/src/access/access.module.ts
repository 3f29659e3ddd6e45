import { Module } from '@nestjs/common';
import { AccessRights } from './access.rights.ts';
import { PinLimits } from './pin.limits.ts';
import { RecentAccessChanges } from './recent.changes.ts';

const PARTS = [AccessRights, PinLimits, RecentAccessChanges];

/** What users may do with devices. */
@Module({ providers: PARTS, exports: PARTS })
export class AccessModule {}
