import type { Step } from '../suite/runner.ts';
import { device, helmTest, install } from './install.ts';
import { backup } from './backup.ts';
import { gatewayApi } from './gateway.ts';
import { monitoring } from './monitoring.ts';
import { policies } from './policies.ts';
import { drain, kill, killServers, rollback, upgrade } from './replace.ts';
import { rotation } from './rotation.ts';
import { autoscale, autoscaleByAgents, scale } from './scale.ts';
import { bundle, doctor, typed } from './support.ts';
import { arbitraryUsers, externalServers } from './variations.ts';

/** All steps in their order. */
export const steps: readonly Step[] = [
  ...[install, helmTest, policies, device, upgrade, rollback, kill, killServers, drain, scale, autoscale],
  ...[
    monitoring,
    autoscaleByAgents,
    gatewayApi,
    rotation,
    backup,
    bundle,
    typed,
    doctor,
    arbitraryUsers,
    externalServers,
  ],
];
