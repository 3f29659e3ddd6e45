import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module.ts';
import { AuditModule } from '../audit/audit.module.ts';
import { LinksModule } from '../links/links.module.ts';
import { AccessWatch } from './access.watch.ts';
import { AccountSockets } from './account.sockets.ts';
import { Admission } from './admission.ts';
import { Arrivals } from './arrivals.ts';
import { KeptAccess } from './kept.access.ts';
import { KeptPins } from './kept.pins.ts';
import { KeptTerminals } from './kept.terminals.ts';
import { SessionSignals } from '@warren/platform/broker/session.signals';
import { LiveGrants } from './live.grants.ts';
import { RecordingPolicies } from '../recordings/policies.ts';
import { SessionTrail } from './session.trail.ts';
import { SessionWatch } from './session.watch.ts';
import { SocketServer } from './socket.server.ts';
import { Withdrawal } from './withdrawal.ts';

/** The basis of every kind of session: browsers' sockets, their admission, and the withdrawal of rights. */
@Module({
  imports: [AccessModule, AuditModule, LinksModule],
  providers: [
    AccessWatch,
    AccountSockets,
    Admission,
    Arrivals,
    KeptAccess,
    KeptPins,
    KeptTerminals,
    LiveGrants,
    RecordingPolicies,
    SessionSignals,
    SessionTrail,
    SessionWatch,
    SocketServer,
    Withdrawal,
  ],
  exports: [AccessModule, AccountSockets, KeptPins, KeptTerminals, LiveGrants, SessionTrail, SocketServer, LinksModule],
})
export class SocketsModule {}
