import type { TerminalOutput } from '@warren/proto/agent/v1/agent';
import type { AgentLink } from '../links/link.ts';
import type { FollowCall } from '../links/link.calls.ts';
import type { ReaderSink, SessionReader } from './recording.relay.ts';

/** Follows a terminal at its agent, which keeps the output until it is stored. */
export class TerminalReader implements SessionReader {
  private readonly call: FollowCall;

  /** @throws Error if the link is closed */
  constructor(
    link: Pick<AgentLink, 'follow'>,
    private readonly open: { session: string; userId: string; offset: bigint },
    private readonly sink: ReaderSink,
  ) {
    this.call = link.follow({
      message: (output) => this.pass(output),
      writable: () => {},
      ended: (error) => sink.ended(error),
    });
    this.call.send({ kind: { case: 'open', value: { ...open, userEmail: '', record: true } } });
  }

  resume(): void {
    this.call.resume();
  }

  ack(offset: bigint): void {
    this.call.send({ kind: { case: 'ack', value: offset } });
  }

  stored(offset: bigint): void {
    this.call.send({ kind: { case: 'stored', value: offset } });
  }

  cancel(): void {
    this.call.cancel();
  }

  private pass(output: TerminalOutput): void {
    const { kind } = output;
    if (kind.case === 'data') this.sink.data(Number(kind.value.offset), kind.value.data);
    else this.sink.message({ kind: { case: 'output', value: output } });
    if (kind.case === 'opened') {
      this.sink.following();
      // The recorder before this one may have died between storing and saying so.
      this.stored(this.open.offset);
    }
    if (kind.case === 'exit' || kind.case === 'refused') this.sink.over();
    if (!this.sink.ready) this.call.pause();
  }
}
