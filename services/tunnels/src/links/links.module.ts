import { Module } from '@nestjs/common';
import { BrokerModule } from '../broker/broker.module.ts';
import { ClientAddress } from '../client.address.ts';
import { MeteringModule } from '../metering/metering.module.ts';
import { AgentEndpoint } from './agent.endpoint.ts';
import { AccountShares } from './account.shares.ts';
import { AgentTokens } from './agent.token.ts';
import { Clones } from './clones.ts';
import { Cooldowns } from './cooldowns.ts';
import { Credentials } from './credentials.ts';
import { FactsReporter } from './facts.ts';
import { Hardware } from './hardware.ts';
import { Links } from './links.ts';
import { OtherReplicas } from './other.replicas.ts';
import { Presence } from './presence.ts';
import { Rush } from './rush.ts';
import { SharedKeys } from './shared.keys.ts';
import { METRICS_PACE, MetricsReporter, USUAL_PACE } from './metrics.reporter.ts';

/** Agents: dials, links, presence and facts. */
@Module({
  imports: [BrokerModule, MeteringModule],
  providers: [
    AccountShares,
    AgentEndpoint,
    AgentTokens,
    ClientAddress,
    Clones,
    Cooldowns,
    Credentials,
    FactsReporter,
    Hardware,
    Links,
    OtherReplicas,
    Presence,
    Rush,
    SharedKeys,
    MetricsReporter,
    { provide: METRICS_PACE, useValue: USUAL_PACE },
  ],
  exports: [
    AgentEndpoint,
    ClientAddress,
    Credentials,
    Links,
    OtherReplicas,
    Presence,
    SharedKeys,
    BrokerModule,
    MeteringModule,
  ],
})
export class LinksModule {}
