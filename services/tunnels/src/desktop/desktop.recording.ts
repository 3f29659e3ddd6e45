import { Logger } from '@nestjs/common';
import { Recording } from '@warren/proto/agent/v1/agent';
import type { AgentLink } from '../links/link.ts';
import type { DesktopOwner, RecordedDesktop } from '../recordings/recorded.desktop.ts';
import type { RecordedDesktops } from '../recordings/recorded.desktops.ts';
import { deviceUser } from '../sockets/device.user.ts';
import type { Grant } from '../sockets/grant.ts';
import type { BrowserSocket } from './messages.ts';
import type { RelayTap } from './relay.ts';
import { ViewerChoice } from './viewer.choice.ts';

/** A desktop that must be recorded is refused if no recorder reads it by then. */
const ACCEPT_MS = 5_000;
/** One that may be recorded waits so long: a recorder that comes after its first picture would miss it. */
const START_MS = 2_000;
const ENCRYPTED = 'Its VNC server encrypts the picture for the viewer alone, so nothing of it could be seen later.';
const REFUSED =
  'This account records every desktop, and recording is not possible at the moment. Try again in a moment.';

/** A socket's view of the recording of its desktop: whether it may open, and the mark that its browser shows. */
export class DesktopRecording {
  private readonly log = new Logger(DesktopRecording.name);
  private desktop: RecordedDesktop | undefined;
  private undo: (() => void) | undefined;
  private choice = new ViewerChoice();

  constructor(
    private readonly socket: BrowserSocket,
    private readonly grant: Grant,
    private readonly recorded: RecordedDesktops,
  ) {}

  /** Why no desktop may be opened; undefined if one may. */
  get refusal(): string | undefined {
    const { mode, problem = '' } = this.grant.recording ?? {};
    return mode === Recording.REQUIRED && problem !== '' ? `${REFUSED} ${problem}` : undefined;
  }

  /** Id of the recording's session; undefined if nothing is recorded. */
  get session(): string | undefined {
    return this.desktop?.session.session;
  }

  /** What takes the bytes of the VNC server; undefined if nothing is recorded. */
  get tap(): RelayTap | undefined {
    return this.desktop;
  }

  /**
   * Has the desktop recorded that is about to be shown.
   * @returns why it may not be shown; undefined if it may
   */
  async begin(link: AgentLink): Promise<string | undefined> {
    const mode = this.grant.recording?.mode;
    if (mode !== Recording.BEST_EFFORT && mode !== Recording.REQUIRED) return undefined;
    const isRequired = mode === Recording.REQUIRED;
    this.choice = new ViewerChoice();
    const desktop = (this.desktop = await this.announced(link, mode));
    const isFollowed = this.socket.connected && (await desktop?.followedWithin(isRequired ? ACCEPT_MS : START_MS));
    if (!this.socket.connected) return undefined;
    if (desktop?.isOver) return desktop.ending;
    if (!isRequired || (isFollowed && desktop?.ending === undefined)) return undefined;
    this.end('It was refused: nothing recorded it in time.');
    return REFUSED;
  }

  /** Shows the mark, after the status of the desktop. */
  show(owner: DesktopOwner): void {
    const { desktop, socket } = this;
    if (!desktop) return;
    desktop.owner = owner;
    this.undo = desktop.watch((mark) => socket.emit('recording', mark));
    socket.emit('recording', desktop.mark);
  }

  /** Takes what the viewer sends, before the VNC server gets it. */
  heard(bytes: Buffer): void {
    if (this.desktop && this.choice.heard(bytes)) this.desktop.abandon(ENCRYPTED);
  }

  /** The desktop has ended. */
  end(reason: string): void {
    const { desktop } = this;
    this.undo?.();
    this.undo = this.desktop = undefined;
    if (desktop) this.recorded.finish(desktop, reason);
  }

  private async announced(link: AgentLink, mode: Recording.BEST_EFFORT | Recording.REQUIRED) {
    const { deviceId, deviceAccountId: accountId, deviceName, user } = this.grant;
    try {
      return await this.recorded.begin({ accountId, deviceId, deviceName, ...deviceUser(user), mode }, link);
    } catch (error) {
      this.log.warn({ device: deviceId, err: error }, 'A desktop could not be announced to recorders.');
      return undefined;
    }
  }
}
