import { expect, it, jest } from '@jest/globals';
import { AgentService } from '@warren/proto/agent/v1/agent';
import { PassThrough } from 'node:stream';
import { StreamingCall } from './call.ts';

it('ends a call whose owner fails when it may send again, and nothing else', () => {
  const close = jest.fn();
  const stream = Object.assign(new PassThrough(), { close });
  const session = { request: () => stream, closed: false, destroyed: false, took: () => true, later: () => {} };
  const ended = jest.fn();
  const writable = () => {
    throw new Error('An input can not be encoded.');
  };
  new StreamingCall(session as never, AgentService.method.terminal, { message: () => {}, writable, ended });
  expect(() => stream.emit('drain')).not.toThrow();
  expect(ended).toHaveBeenCalledWith(new Error('An input can not be encoded.'));
  expect(close).toHaveBeenCalled();
});
