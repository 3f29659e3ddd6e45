import { Module } from '@nestjs/common';
import { LinksModule } from '../links/links.module.ts';
import { Admission } from './admission.ts';
import { TerminalServer } from './terminal.server.ts';
import { Withdrawal } from './withdrawal.ts';

/** Terminals: browsers' sockets on one side, agents' sessions on the other. */
@Module({
  imports: [LinksModule],
  providers: [Admission, TerminalServer, Withdrawal],
  exports: [TerminalServer, LinksModule],
})
export class TerminalModule {}
