import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, link, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, connect, type Server } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { compileHelper } from '../packaging/build/helper.ts';
import { ownArch } from '../packaging/build/arches.ts';
import { until } from '@warren/infra/until';
import { TerminalClient } from './terminal-client.ts';
import { World } from './world.ts';

const asRoot = process.getuid?.() === 0 ? describe : describe.skip;

let program: string;

beforeAll(async () => {
  if (!ownArch) throw new Error(`there is no helper for ${process.arch}`);
  program = await compileHelper(ownArch);
});

// Where it runs as root, as in its unit; users and units are tested on machines with systemd (deploy/e2e).
asRoot('a terminal through the helper', () => {
  let world: World;
  let folder: string;
  let server: Server;
  let helpers: ChildProcess[];
  /** Connections to refuse, as an older helper does. */
  let refusals: number;
  /** Who may ask, and whose shells open. */
  let users: [string, string];
  const socket = () => join(folder, 'shell.sock');

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'warren-helper-'));
    helpers = [];
    users = [userInfo().username, userInfo().username];
    // As systemd does for a socket with Accept=yes.
    refusals = 0;
    server = createServer({ pauseOnConnect: true }, (accepted) => {
      if (refusals-- > 0) {
        accepted.once('data', () => accepted.end('refused this is no request for a terminal\n'));
        return void accepted.resume();
      }
      helpers.push(
        spawn(program, ['shell', ...users, 'direct', join(folder, 'keepers')], {
          stdio: [accepted, 'ignore', 'ignore'],
        }),
      );
      accepted.destroy();
    });
    server.listen(socket());
    await once(server, 'listening');
    world = await World.make();
  });

  afterEach(async () => {
    await world.end();
    server.close();
    await until(() => helpers.every(({ exitCode, signalCode }) => exitCode !== null || signalCode !== null));
    await rm(folder, { recursive: true });
  });

  const open = async () => {
    await world.start({ shellSocket: socket() });
    return world.open();
  };

  it('is a login shell of the user, on a terminal that only the user owns', async () => {
    const terminal = await open();
    terminal.type('echo "$(id -un)-$0-$WARREN_USER-$(stat -c %u:%a $(tty))-$(ls /proc/self/fd | wc -l)"\r');
    await terminal.shows(`${users[1]}-${userInfo().shell}-`);
    await terminal.shows('-0:600-');
    // Standard streams, and the folder that ls reads.
    await terminal.shows('-4\r\n');
  });

  it.each([
    ['exit 7\r', { code: 7, signal: '' }],
    ['kill -KILL $$\r', { code: 0, signal: 'SIGKILL' }],
  ])('tells how it ended: %j', async (typed, expected) => {
    const terminal = await open();
    terminal.type(typed);
    await terminal.until(() => terminal.exit !== undefined);
    expect(terminal.exit).toEqual(expected);
  });

  it('ends what does not want to end when it is closed', async () => {
    const terminal = await open();
    terminal.type("trap '' HUP; sh -c 'trap \"\" HUP; echo stub-$((6 * 7)); sleep 600; sleep 600'\r");
    await terminal.shows('stub-42');
    terminal.close();
    await terminal.until(() => terminal.exit !== undefined);
  });

  it('says why there is none', async () => {
    users = [userInfo().username, 'nobody'];
    const terminal = await open();
    await terminal.shows('this user of the device has no login shell: nobody');
    await terminal.until(() => terminal.exit?.code === 1);
  });

  it('outlives the agent in the folder that its user may read', async () => {
    const keepers = join(folder, 'keepers');
    await world.start({ shellSocket: socket(), keepers });
    const terminal = await world.open({ writer: 'screen' });
    terminal.type('echo "$(id -un)-$WARREN_USER-$(stat -c %u:%a $(tty))-$(ls /proc/self/fd | wc -l)"\r');
    await terminal.shows(`${users[1]}-ada@example.com-0:600-4\r\n`);
    await world.stopAgent();
    await world.start({ shellSocket: socket(), keepers });
    const { client } = await world.hub.linked(2);
    const { session, offset } = terminal;
    const again = new TerminalClient(client, { session, offset, writer: 'screen' });
    await again.until(() => again.from === offset);
    again.type('exit 3\r');
    await again.until(() => again.exit !== undefined);
    expect(again.exit).toEqual({ code: 3, signal: '' });
    expect(helpers).toHaveLength(1);
    await client.endTerminals({});
  });

  it('is not kept by an older helper, and opens all the same', async () => {
    refusals = 1;
    await world.start({ shellSocket: socket(), keepers: join(folder, 'keepers') });
    const terminal = await world.open({ writer: 'screen' });
    terminal.type('echo old-$((6 * 7))\r');
    await terminal.shows('old-42\r\n');
    await terminal.until(() => terminal.typed > 0);
    terminal.type('exit 4\r');
    await terminal.until(() => terminal.exit !== undefined);
    expect(terminal.exit).toEqual({ code: 4, signal: '' });
  });

  it('reports a helper that may not open terminals', async () => {
    server.close();
    const terminal = await open();
    await terminal.shows("the service that opens terminals can't be reached");
  });

  it.each([
    // Before it says anything.
    ['another user', ['nobody', 'root'], undefined, 'only the agent may open a terminal'],
    ['no number', undefined, 'open ../../tty xterm C.UTF-8 a@example.com', 'this is no request for a terminal'],
    ['no such terminal', undefined, 'open 999999 xterm C.UTF-8 a@example.com', "this terminal is not the agent's"],
    ['a variable too many', undefined, 'open 0 xterm C=1 a@example.com', 'this is no request for a terminal'],
    ['a control character', undefined, 'open 0 xterm C.UTF-8 a\x1b@example.com', 'this is no request for a terminal'],
    ['endless words', undefined, `open 0 xterm C.UTF-8 ${'a'.repeat(4000)}`, 'this is no request for a terminal'],
  ])('is refused to %s', async (_what, others, request, expected) => {
    if (others) users = others as [string, string];
    await chmod(socket(), 0o666);
    const client = connect(socket());
    let said = '';
    client.on('data', (bytes) => (said += bytes.toString()));
    client.on('error', () => {});
    if (request !== undefined) client.write(`${request}\n`);
    await once(client, 'close');
    expect(said).toBe(`refused ${expected}\n`);
  });
});

// As `crashed.sh` does, while the folder's owner replaces its files.
asRoot('a file of another user', () => {
  const OWNER = 65_534;
  let folder: string;
  let state: string;
  let roots: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'warren-owner-'));
    await chmod(folder, 0o755);
    state = join(folder, 'state');
    await mkdir(state);
    roots = join(folder, 'secret');
    await writeFile(roots, 'secret', { mode: 0o600 });
    await writeFile(join(state, 'own'), 'own', { mode: 0o600 });
    await symlink(roots, join(state, 'link'));
    await link(roots, join(state, 'hard'));
    for (const path of [state, join(state, 'own')]) await chown(path, OWNER, OWNER);
  });
  afterEach(() => rm(folder, { recursive: true }));

  const help = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
    return { status, stdout, stderr };
  };

  it('is read with the rights of that user, and not through a link', () => {
    expect(help('read', state, 'own')).toEqual({ status: 0, stdout: 'own', stderr: '' });
    expect(help('read', state, 'link')).toMatchObject({ status: 71, stdout: '' });
    expect(help('read', state, 'hard')).toEqual({ status: 71, stdout: '', stderr: 'hard: Permission denied\n' });
    expect(help('read', state, '.')).toEqual({ status: 77, stdout: '', stderr: '.: not a regular file\n' });
  });
});
