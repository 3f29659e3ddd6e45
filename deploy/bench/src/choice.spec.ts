import { describe, expect, it } from '@jest/globals';
import { readChoice } from './choice.ts';

const all = ['terminal', 'desktop', 'web'];
const read = (...args: string[]) => readChoice(args, all);

describe('readChoice', () => {
  it('takes all benches, and no peer that must be asked for, when nothing is said', () => {
    const { names, choice } = read();
    expect(names).toEqual(all);
    expect(choice).toEqual({
      rounds: 3,
      warm: 2,
      samples: 2_000,
      megabytes: 100,
      agents: 10_000,
      devices: 50_000,
      patience: 180,
      ways: ['gateways', 'tunnels'],
      way: 'tunnels',
      with: [],
    });
  });

  it('takes what is named, in the order in which benches run', () => {
    const { names, choice } = read(
      'web',
      'terminal',
      '--rounds',
      '5',
      '--ways',
      'tunnels',
      '--with',
      'meshcentral',
      '--way',
      'gateway',
    );
    expect(names).toEqual(['terminal', 'web']);
    expect(choice).toMatchObject({ rounds: 5, ways: ['tunnels'], way: 'gateway', with: ['meshcentral'] });
  });

  it.each([
    [['weather'], 'There is no bench "weather"; there are terminal, desktop, web.'],
    [['--rounds', '0'], '--rounds is "0", expected 1 or more.'],
    [['--warm', '1.5'], '--warm is "1.5", expected 0 or more.'],
    [['--megabytes', 'many'], '--megabytes is "many", expected 1 or more.'],
    [['--ways', 'gateways,radio'], '--ways is "gateways,radio", expected some of gateways,tunnels.'],
    [['--way', 'radio'], '--way is "radio", expected gateway or tunnels.'],
    [['--with', 'teamviewer'], '--with is "teamviewer", expected some of meshcentral.'],
  ])('refuses %j and says what was expected', (args, message) => {
    expect(() => read(...args)).toThrow(message);
  });
});
