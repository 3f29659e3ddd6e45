import { Module } from '@nestjs/common';
import { AccessRights } from './access.rights.ts';
import { Observing } from './observing.ts';
import { PinLimits } from './pin.limits.ts';
import { RecentAccessChanges } from './recent.changes.ts';

const PARTS = [AccessRights, Observing, PinLimits, RecentAccessChanges];

/** What users may do with devices. */
@Module({ providers: PARTS, exports: PARTS })
export class AccessModule {}
