import { Module } from '@nestjs/common';
import { BrokerModule } from '../broker/broker.module.ts';
import { ClientAddress } from '../edge/client.address.ts';
import { AgentEndpoint } from './agent.endpoint.ts';
import { AgentTokens } from './agent.token.ts';
import { Clones } from './clones.ts';
import { Credentials } from './credentials.ts';
import { FactsReporter } from './facts.ts';
import { Links } from './links.ts';
import { OtherReplicas } from './other.replicas.ts';
import { Presence } from './presence.ts';
import { Rush } from './rush.ts';

/** Agents: their dials, their links, their presence and facts. */
@Module({
  imports: [BrokerModule],
  providers: [
    AgentEndpoint,
    AgentTokens,
    ClientAddress,
    Clones,
    Credentials,
    FactsReporter,
    Links,
    OtherReplicas,
    Presence,
    Rush,
  ],
  exports: [AgentEndpoint, ClientAddress, Credentials, Links, OtherReplicas, Presence, BrokerModule],
})
export class LinksModule {}
