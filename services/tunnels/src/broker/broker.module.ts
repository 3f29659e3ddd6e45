import { Module } from '@nestjs/common';
import { ReplicaDirectory } from '@warren/platform/broker/directory';
import { Claims } from './claims.ts';
import { Lease } from './lease.ts';

/** The directory: this replica's lease, the claims of devices, and the locations of other replicas. */
@Module({
  providers: [Lease, Claims, ReplicaDirectory],
  exports: [Lease, Claims, ReplicaDirectory],
})
export class BrokerModule {}
