import { describe, expect, it } from '@jest/globals';
import { parseChange } from './change.ts';

const change = (...args: string[]) => parseChange(args, () => 'http://typed:3128');

describe('parseChange', () => {
  it('accepts each setting, and none to remove one', () => {
    expect(change('proxy', 'http://fleet:pa%3Ass@proxy.example:3128/')).toEqual({
      setting: 'proxy',
      value: 'http://fleet:pa%3Ass@proxy.example:3128',
    });
    expect(change('proxy', '-')).toEqual({ setting: 'proxy', value: 'http://typed:3128' });
    expect(change('proxy', 'none')).toEqual({ setting: 'proxy', value: undefined });
    expect(change('shell-user', 'ada')).toEqual({ setting: 'shell-user', value: 'ada' });
    expect(change('name', ' Pump 7 ')).toEqual({ setting: 'name', value: 'Pump 7' });
    expect(change('name', 'none')).toEqual({ setting: 'name', value: undefined });
  });

  it.each([
    [['colour', 'red'], 'set: "colour" is no setting; expected proxy, shell-user, name'],
    [['proxy'], 'set proxy: expected one value'],
    [['name', 'a', 'b'], 'set name: expected one value'],
    [['proxy', 'proxy:3128'], 'proxy is "proxy:3128": expected an address such as http://proxy.example.com:3128'],
    [['proxy', 'ftp://proxy'], 'proxy is "ftp://proxy": expected an address'],
    [['proxy', 'http://proxy/path'], 'expected an address'],
    [['proxy', 'http://a\nb:1'], 'expected an address'],
    [['shell-user', 'a b'], 'shell-user is "a b": expected the name of a user of this device'],
    [['shell-user', 'warren-agent'], 'expected another user than the one that has the key'],
    [['name', 'a\u0007'], 'name is "a\\u0007": expected 1 to 253 characters'],
    [['name', ''], 'name is "": expected 1 to 253 characters'],
  ])('names what is wrong in %j', (args, message) => {
    expect(() => change(...args)).toThrow(message);
  });

  it.each(['ftp://fleet:s3cret@proxy', 'fleet:s3cret@proxy:3128', 'http://fleet:s3c@ret@/'])(
    'does not show the password in %s',
    (proxy) => {
      expect(() => change('proxy', proxy)).toThrow('…@');
      expect(() => change('proxy', proxy)).not.toThrow(/s3c/);
    },
  );
});
