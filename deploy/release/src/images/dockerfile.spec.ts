import { beforeAll, describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { dockerfile } from '@warren/images/places';
import { targetNames } from '@warren/images/targets';
import { planOf } from './dockerfile.ts';

describe('an image by the Dockerfile', () => {
  let file = '';
  beforeAll(async () => {
    file = await readFile(dockerfile, 'utf8');
  });

  it('starts as Docker starts it', () => {
    expect(planOf(file, 'identity')).toMatchObject({
      config: {
        User: '10001:10001',
        Env: expect.arrayContaining(['NODE_ENV=production', 'OPS_PORT=9080', 'MALLOC_MMAP_THRESHOLD_=32000']),
        Entrypoint: ['/usr/local/bin/node', '--enable-source-maps'],
        Cmd: ['dist/bundle.mjs'],
        WorkingDir: '/app/services/identity',
        StopSignal: 'SIGTERM',
        Labels: { 'org.opencontainers.image.title': 'warren identity' },
        Healthcheck: {
          Test: ['CMD', '/usr/local/bin/node', '/app/health.mjs'],
          Interval: 10e9,
          Timeout: 5e9,
          StartPeriod: 60e9,
          Retries: 3,
        },
      },
      copies: [
        { stage: 'base', from: '/out', to: '/', owner: '0:0' },
        { from: '${TARGETARCH}', to: '/app', owner: '0:0' },
      ],
    });
    for (const target of ['audit', 'hub'])
      expect(planOf(file, target).copies.at(-1)).toEqual({
        stage: undefined,
        from: '${TARGETARCH}/bin',
        to: '/usr/local/bin',
        owner: '0:0',
      });
    expect(planOf(file, 'gateway').config.ExposedPorts).toEqual({ '8080/tcp': {} });
    expect(planOf(file, 'packages')).toMatchObject({
      config: { Volumes: { '/packages': {} }, Cmd: ['give.mjs', '/packages'] },
      copies: [{}, {}, { from: '${TARGETARCH}/empty', to: '/packages', owner: '10001:10001' }],
    });
  });

  it('is read for each target', () => {
    for (const target of targetNames) expect(planOf(file, target).config.Entrypoint?.[0]).toBe('/usr/local/bin/node');
  });

  it('is refused with what a release would leave out', () => {
    expect(() => planOf('FROM scratch AS a\nRUN true\n', 'a')).toThrow(
      "The Dockerfile's target a has RUN, which releases can't follow",
    );
    for (const copy of ['here /', "<<'EOF' /file\ntext\nEOF", '--from=base /etc /etc'])
      expect(() => planOf(`FROM scratch AS a\nCOPY ${copy}\n`, 'a')).toThrow("which releases can't follow");
    expect(() => planOf('FROM scratch AS a\n', 'b')).toThrow('The Dockerfile has no stage b');
    expect(() => planOf('FROM scratch AS a\nHEALTHCHECK --interval=1x CMD ["a"]\n', 'a')).toThrow(
      'HEALTHCHECK has the duration "1x": expected one such as 10s',
    );
  });
});
