import { expect, it } from '@jest/globals';
import { loginOf } from './person.ts';

const passwd = `root:x:0:0:root:/root:/bin/bash
ada:x:1000:1001:Ada Lovelace,,,:/home/ada:/usr/bin/zsh
bob:x:10001:1000::/home/bob:
`;

it('finds a login by its id', () => {
  expect(loginOf(passwd, 1000)).toEqual({
    name: 'ada',
    uid: 1000,
    gid: 1001,
    home: '/home/ada',
    shell: '/usr/bin/zsh',
  });
});

it('takes sh where no shell is named', () => {
  expect(loginOf(passwd, 10001)?.shell).toBe('/bin/sh');
});

it('finds none for an unknown id', () => {
  expect(loginOf(passwd, 1001)).toBeUndefined();
});
