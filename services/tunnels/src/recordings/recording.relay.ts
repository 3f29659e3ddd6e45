import { RecordingChannel } from '@warren/platform/recordings/channel';
import type { TerminalOutput } from '@warren/proto/agent/v1/agent';
import {
  RecordingInputSchema,
  RecordingOutputSchema,
  type RecordingInput,
  type RecordedTerminal as TerminalInit,
} from '@warren/proto/tunnels/v1/recordings';
import type { MessageInitShape } from '@bufbuild/protobuf';
import type { Duplex } from 'node:stream';
import type { AgentLink } from '../links/link.ts';
import type { FollowCall } from '../links/link.calls.ts';

/** What a relay needs to know of its terminal. */
export interface RelayedTerminal extends Pick<TerminalInit, 'session' | 'userId'> {
  link: Pick<AgentLink, 'follow'>;
  init: MessageInitShape<typeof RecordingOutputSchema>;
}

export interface RelayEvents {
  /** The agent sends to the recorder from now on. */
  following(): void;
  /** Why the recorder stores nothing; empty if it does. */
  trouble(reason: string): void;
  /** The recording is closed. @param isOver whether the terminal has ended too */
  closed(isOver: boolean): void;
  ended(): void;
}

/** The most of a recorder's text for people. */
const MAX_REASON = 200;
/** How long a recorder may take to close a recording. */
const CLOSING_MS = 60_000;

/** Carries the output of one terminal from its agent to its recorder, at the pace of both, and the recorder's acknowledgements back. */
export class RecordingRelay {
  private readonly channel: RecordingChannel<typeof RecordingInputSchema, typeof RecordingOutputSchema>;
  private call: FollowCall | undefined;
  private over = false;
  private isTerminalOver = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly terminal: RelayedTerminal,
    { socket, head }: { socket: Duplex; head: Buffer },
    private readonly events: RelayEvents,
  ) {
    this.channel = new RecordingChannel(socket, head, RecordingInputSchema, RecordingOutputSchema, {
      message: (input) => this.handle(input),
      data: () => this.channel.close(new Error('The recorder sent output.')),
      writable: () => this.call?.resume(),
      ended: () => this.finish(),
    });
    this.channel.send(terminal.init);
  }

  joined(person: string): void {
    this.channel.send({ kind: { case: 'joined', value: person } });
  }

  left(person: string): void {
    this.channel.send({ kind: { case: 'left', value: person } });
  }

  close(): void {
    this.channel.close();
  }

  private handle({ kind }: RecordingInput): void {
    switch (kind.case) {
      case 'from':
        return this.follow(kind.value);
      case 'ack':
        return this.call?.send({ kind: { case: 'ack', value: kind.value } });
      case 'stored':
        return this.call?.send({ kind: { case: 'stored', value: kind.value } });
      case 'trouble':
        return this.events.trouble(kind.value.slice(0, MAX_REASON));
      case 'closed':
        return this.events.closed(this.isTerminalOver);
      case undefined:
        // From a newer recorder; unknown messages are ignored, as protobuf asks.
        return;
    }
  }

  private follow(offset: bigint): void {
    if (this.call) return this.channel.close(new Error('The recorder began twice.'));
    const { session, userId, link } = this.terminal;
    try {
      this.call = link.follow({
        message: (output) => this.pass(output),
        writable: () => {},
        ended: (error) => this.agentEnded(error),
      });
    } catch (error) {
      return this.channel.close(error as Error);
    }
    const open = { session, offset, userId, userEmail: '', record: true };
    this.call.send({ kind: { case: 'open', value: open } });
  }

  private pass(output: TerminalOutput): void {
    const { kind } = output;
    if (kind.case === 'data') this.channel.sendData(Number(kind.value.offset), kind.value.data);
    else this.channel.send({ kind: { case: 'output', value: output } });
    if (kind.case === 'opened') this.events.following();
    if (kind.case === 'exit' || kind.case === 'refused') this.isTerminalOver = true;
    if (!this.channel.ready) this.call?.pause();
  }

  /** The recorder has all, and says when the recording is closed; after an error it comes again. */
  private agentEnded(error: Error | undefined): void {
    if (this.over) return;
    if (error) return this.channel.close(error);
    this.timer = setTimeout(() => this.channel.close(), CLOSING_MS).unref();
  }

  private finish(): void {
    if (this.over) return;
    this.over = true;
    clearTimeout(this.timer);
    this.call?.cancel();
    this.events.ended();
  }
}
