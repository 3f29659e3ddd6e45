import { freePort } from '@warren/infra/ports';
import { until } from '@warren/infra/until';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdtemp, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DesktopPrograms } from './desktop.programs.ts';
import { rfbAnswers } from './vnc.ts';

/** Sway refuses to run as root; the user `nobody` can do all that a desktop needs. */
const NOBODY = 65_534;
const PERSON = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};

const CONFIG = `xwayland disable
output HEADLESS-1 mode --custom 1024x768@60Hz
default_border none
`;

/** A Wayland desktop of this machine, drawn in memory: sway, and wayvnc that shows it. */
export class WaylandDesktop {
  readonly folder: string;
  readonly port: number;
  private readonly programs: DesktopPrograms;
  private socket = '';

  private constructor(folder: string, port: number) {
    this.folder = folder;
    this.programs = new DesktopPrograms(folder);
    this.port = port;
  }

  static async start(): Promise<WaylandDesktop> {
    const folder = await mkdtemp(join(tmpdir(), 'warren-wayland-'));
    const desktop = new WaylandDesktop(folder, await freePort('127.0.0.1'));
    const config = join(folder, 'config');
    await writeFile(config, CONFIG);
    await chmod(config, 0o644);
    if (PERSON.uid !== undefined) await chown(folder, PERSON.uid, PERSON.gid);
    desktop.run('sway', ['-c', config]);
    await until(async () => {
      desktop.socket = (await readdir(folder)).find((name) => /^wayland-\d+$/.test(name)) ?? '';
      return desktop.socket !== '';
    });
    desktop.run('wayvnc', ['127.0.0.1', `${desktop.port}`]);
    await until(() => rfbAnswers(desktop.port));
    return desktop;
  }

  /** Fills the screen with a terminal emulator that runs a command. */
  terminal(command: string): void {
    this.run('foot', ['--override=colors.background=204060', '--override=pad=0x0', 'sh', '-c', command]);
  }

  /** A file that a command on the device has written; '' as long as there is none. */
  read(name: string): Promise<string> {
    return this.programs.read(name);
  }

  /** Changes the size of the screen on the device. */
  async resize(size: string): Promise<void> {
    const child = this.run('swaymsg', [`output HEADLESS-1 mode --custom ${size}@60Hz`]);
    await once(child, 'exit');
  }

  stop(): Promise<void> {
    return this.programs.stop();
  }

  private run(program: string, args: string[]): ChildProcess {
    const { PATH, LANG } = process.env;
    const env = {
      PATH,
      LANG,
      HOME: this.folder,
      XDG_RUNTIME_DIR: this.folder,
      ...(this.socket && { WAYLAND_DISPLAY: this.socket }),
      WLR_BACKENDS: 'headless',
      WLR_LIBINPUT_NO_DEVICES: '1',
      WLR_RENDERER: 'pixman',
      SWAYSOCK: join(this.folder, 'sway'),
    };
    return this.programs.start(program, args, { env, ...PERSON });
  }
}
