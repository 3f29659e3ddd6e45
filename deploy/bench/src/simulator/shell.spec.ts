import { describe, expect, it } from '@jest/globals';
import { until } from '@warren/infra/until';
import { SimulatedShell } from './shell.ts';

function start() {
  const shell = new SimulatedShell();
  const heard = { text: '', exits: 0 };
  shell.onData = (bytes) => void (heard.text += Buffer.from(bytes).toString());
  shell.onExit = () => void heard.exits++;
  return { shell, heard };
}

describe('the simulated shell', () => {
  it('echoes, counts and ends', async () => {
    const { shell, heard } = start();
    await until(() => heard.text === '$ ');
    shell.write(Buffer.from('count 4000\n'));
    await until(() => heard.text.endsWith('00004000\r\n$ '));
    expect(heard.text.split('\r\n').slice(1, -1)).toEqual(
      Array.from({ length: 4000 }, (_, index) => String(index + 1).padStart(8, '0')),
    );
    shell.write(Buffer.from('exit\n'));
    await until(() => heard.exits === 1);
  });

  it('holds its output back when it is paused, and loses none', async () => {
    const { shell, heard } = start();
    await until(() => heard.text === '$ ');
    const listen = shell.onData;
    shell.onData = (bytes) => {
      listen(bytes);
      if (heard.text.includes('00000001')) shell.pause();
    };
    shell.write(Buffer.from('count 20000\n'));
    await until(() => heard.text.includes('00000001'));
    const held = heard.text;
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    expect(heard.text).toBe(held);
    expect(held).not.toContain('00020000');
    shell.onData = listen;
    shell.resume();
    await until(() => heard.text.endsWith('00020000\r\n$ '));
    expect(heard.text.split('\r\n').filter((line) => /^\d{8}$/.test(line))).toHaveLength(20_000);
  });
});
