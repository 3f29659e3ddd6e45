import { describe, expect, it } from '@jest/globals';
import type { SessionEnding, SessionTraffic } from '../sockets/session.trail.ts';
import { TerminalTrail } from './terminal.trail.ts';

describe('the trail of a terminal', () => {
  const opened = async () => {
    const ends: (SessionEnding & SessionTraffic)[] = [];
    const audited = {
      end: (ending: SessionEnding, traffic: SessionTraffic) => void ends.push({ ...ending, ...traffic }),
    };
    const request = async () => ({ opened: () => audited, failed: () => {}, refused: () => {} });
    const trail = new TerminalTrail({} as never, { request } as never);
    await trail.request();
    trail.opened({});
    return { trail, ends };
  };

  it('has the bytes until its end, and the first reason why the hub ended it', async () => {
    const { trail, ends } = await opened();
    const traffic = { bytesToDevice: 2, bytesFromDevice: 5 };
    trail.note('withdrawn', 'The user is deleted.');
    trail.note('signed_out');
    expect(ends).toEqual([]);
    traffic.bytesFromDevice += 40;
    const attachment = { asked: true, traffic };
    trail.over({ kind: 'exit', code: 0, signal: 'SIGHUP' }, attachment);
    trail.over({ kind: 'detached' }, attachment);
    expect(ends).toEqual([{ how: 'withdrawn', reason: 'The user is deleted.', bytesToDevice: 2, bytesFromDevice: 45 }]);
  });

  it('says how it ended where the hub did not end it', async () => {
    const { trail, ends } = await opened();
    trail.over({ kind: 'lost', reason: 'gone' }, { asked: true, traffic: { bytesToDevice: 0, bytesFromDevice: 0 } });
    expect(ends).toMatchObject([{ how: 'lost', reason: 'gone' }]);
  });
});
