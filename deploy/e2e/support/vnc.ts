import { freePort } from '@warren/infra/ports';
import { execFile } from 'node:child_process';
import { generateKeyPair } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { until } from '@warren/infra/until';
import { DesktopPrograms } from './desktop.programs.ts';

const run = promisify(execFile);

/** The first display that is tried: above those of people who sit at this machine. */
const FIRST_DISPLAY = 60;

interface TigerOptions {
  password?: string;
  port?: number;
  /** The types of security that it offers, in TigerVNC's words. */
  security?: string;
  /** Another TigerVNC than the machine's own. */
  program?: string;
}

/** A desktop of this machine, as a device has one: an X server, what shows it to VNC, and a terminal emulator that fills it. */
export class VncDesktop {
  readonly folder: string;
  readonly display: string;
  readonly port: number;
  private readonly programs: DesktopPrograms;

  private constructor(folder: string, display: string, port: number) {
    this.folder = folder;
    this.programs = new DesktopPrograms(folder);
    this.display = display;
    this.port = port;
  }

  /** TigerVNC, which is X server and VNC server in one. */
  static async tiger(options: TigerOptions = {}): Promise<VncDesktop> {
    const desktop = await VncDesktop.make(options.port);
    const { display, port } = desktop;
    const security = ['-SecurityTypes', options.security ?? (options.password ? 'VncAuth' : 'None')];
    if (options.password) security.push('-PasswordFile', await desktop.passwordFile(options.password));
    if (options.security?.includes('RA2')) security.push('-RSAKey', await desktop.keyFile());
    const program = options.program ?? 'Xtigervnc';
    desktop.start(program, [display, '-rfbport', `${port}`, '-localhost', '-geometry', '1024x768', ...security]);
    await desktop.ready();
    return desktop;
  }

  /** x11vnc, which shows the screen of another X server. */
  static async x11vnc(): Promise<VncDesktop> {
    const desktop = await VncDesktop.make();
    const { display, port } = desktop;
    desktop.start('Xvfb', [display, '-screen', '0', '800x600x24']);
    await until(() => run('xrandr', ['-display', display]));
    desktop.start('x11vnc', [
      '-display',
      display,
      '-rfbport',
      `${port}`,
      '-localhost',
      '-forever',
      '-shared',
      '-nopw',
      '-quiet',
    ]);
    await desktop.ready();
    return desktop;
  }

  private static async make(port?: number): Promise<VncDesktop> {
    const folder = await mkdtemp(join(tmpdir(), 'warren-vnc-'));
    const taken = new Set((await run('ls', ['-A', '/tmp/.X11-unix']).catch(() => ({ stdout: '' }))).stdout.split('\n'));
    let number = FIRST_DISPLAY;
    while (taken.has(`X${number}`)) number++;
    return new VncDesktop(folder, `:${number}`, port ?? (await freePort('127.0.0.1')));
  }

  /** Fills the screen with a terminal emulator that runs a command. */
  async terminal(command: string): Promise<void> {
    const place = ['-geometry', '200x80+0+0', '-bg', '#204060', '-fg', 'white', '-b', '0', '-bw', '0'];
    this.start('xterm', ['-display', this.display, ...place, '-e', 'sh', '-c', command]);
    await until(async () => (await this.ask('xwininfo', ['-root', '-tree'])).includes('xterm'));
  }

  /** Width and height of the screen, as the X server says. */
  async size(): Promise<string> {
    return /current (\d+ x \d+)/.exec(await this.ask('xrandr', []))?.[1]?.replaceAll(' ', '') ?? '';
  }

  /** What is copied on the device. */
  async copied(): Promise<string> {
    return this.ask('xclip', ['-o', '-selection', 'clipboard', '-display', this.display]).catch(() => '');
  }

  /** Copies on the device. */
  async copy(text: string): Promise<void> {
    const file = join(this.folder, 'clip');
    await writeFile(file, text);
    this.start('xclip', ['-i', '-quiet', '-selection', 'clipboard', '-display', this.display, file]);
  }

  /** A file that a command on the device has written; '' as long as there is none. */
  read(name: string): Promise<string> {
    return this.programs.read(name);
  }

  async stop(): Promise<void> {
    await this.programs.stop();
    const number = this.display.slice(1);
    for (const left of [`/tmp/.X11-unix/X${number}`, `/tmp/.X${number}-lock`]) await rm(left, { force: true });
  }

  private async ask(program: string, args: string[]): Promise<string> {
    const { stdout } = await run(program, args, { env: { ...process.env, DISPLAY: this.display }, timeout: 20_000 });
    return stdout;
  }

  private start(program: string, args: string[]): void {
    const env = { ...process.env, DISPLAY: this.display, HOME: this.folder };
    this.programs.start(program, args, { env });
  }

  private async passwordFile(password: string): Promise<string> {
    const file = join(this.folder, 'password');
    const child = execFile('tigervncpasswd', ['-f'], { encoding: 'buffer' });
    const [stdout] = await Promise.all([read(child.stdout), child.stdin?.end(`${password}\n`)]);
    await writeFile(file, stdout, { mode: 0o600 });
    return file;
  }

  /** The server's own key, by which people know it. */
  private async keyFile(): Promise<string> {
    const { privateKey } = await promisify(generateKeyPair)('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'pkcs1', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    });
    const file = join(this.folder, 'key.pem');
    await writeFile(file, privateKey, { mode: 0o600 });
    return file;
  }

  private async ready(): Promise<void> {
    await until(() => rfbAnswers(this.port));
  }
}

/** Whether a VNC server answers on a port of this machine. */
export async function rfbAnswers(port: number): Promise<boolean> {
  const socket = net.connect(port, '127.0.0.1');
  try {
    const [greeting] = (await once(socket, 'data')) as [Buffer];
    return greeting.toString().startsWith('RFB');
  } finally {
    socket.destroy();
  }
}

async function read(stream: NodeJS.ReadableStream | null): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of stream ?? []) parts.push(Buffer.from(part as Buffer));
  return Buffer.concat(parts);
}
