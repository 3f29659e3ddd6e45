import { BadRequestException, InternalServerErrorException, NotFoundException } from '@nestjs/common';
import { describe, expect, it } from '@jest/globals';
import { Fault, HTTP_STATUS, type FaultCode } from '@warren/platform/errors/fault';
import { AccessDenied } from './access.ts';
import { errorAnswer, unknownAnswer } from './fault.filter.ts';

const CODES = (Object.keys(HTTP_STATUS) as FaultCode[]).filter((code) => code !== 'internal');

describe('the answer to an error', () => {
  it.each(CODES)('%s has the status of the table, and a message that reads prefix: text', (code) => {
    const { status, body } = errorAnswer(new Fault(code, 'no prefix here')) ?? unknownAnswer('');
    expect(status).toBe(HTTP_STATUS[code]);
    expect(body).toMatchObject({ statusCode: status, code, message: expect.stringMatching(/^[^:]+: \S/) });
  });

  it("has the fault's subject as its prefix, else the field, else the text of the code", () => {
    const message = (...fault: ConstructorParameters<typeof Fault>) => errorAnswer(new Fault(...fault))?.body.message;
    expect(message('not_found', 'device 7.')).toBe('Not found: device 7.');
    expect(message('not_found', 'two: parts.')).toBe('Not found: two: parts.');
    expect(message('unauthenticated', 'used up.', { subject: 'Enrolment token' })).toBe('Enrolment token: used up.');
    const problems = [{ field: 'page', message: 'expected number' }];
    expect(message('invalid_argument', 'expected number', { problems })).toBe('Invalid input (page): expected number');
    const long = [{ field: 'x'.repeat(41), message: 'no' }];
    expect(message('invalid_argument', 'no', { problems: long })).toBe('Invalid input: no');
    expect(message('already_exists', 'taken.', { problems })).toBe('Conflict: taken.');
  });

  it('lists the problems', () => {
    const problems = [{ field: 'name', message: 'expected text' }];
    expect(errorAnswer(new Fault('invalid_argument', 'x', { problems }))?.body.errors).toEqual(problems);
    expect(errorAnswer(new Fault('invalid_argument', 'x'))?.body.errors).toBeUndefined();
  });

  it('has Retry-After in whole seconds', () => {
    expect(errorAnswer(new Fault('unavailable', 'x'))?.retryAfter).toBe(2);
    expect(errorAnswer(new Fault('unavailable', 'x', { retryAfter: 0.1 }))?.retryAfter).toBe(1);
    expect(errorAnswer(new Fault('not_found', 'x'))?.retryAfter).toBeUndefined();
  });

  it('has the reason as its code for a person without access', () => {
    expect(errorAnswer(new AccessDenied('account_disable'))).toMatchObject({
      status: 403,
      body: { code: 'account_disable' },
    });
  });

  it('maps errors of the framework and its parsers', () => {
    expect(errorAnswer(new NotFoundException('Cannot GET /x'))?.body).toEqual({
      statusCode: 404,
      code: 'not_found',
      message: 'Not found: Cannot GET /x',
    });
    expect(errorAnswer(new BadRequestException('no'))?.body.code).toBe('invalid_argument');
    const parser = Object.assign(new SyntaxError('Unexpected token'), {
      status: 400,
      expose: true,
      type: 'entity.parse.failed',
    });
    expect(errorAnswer(parser)?.body.message).toBe('Invalid input: the body is no JSON.');
  });

  it.each([
    new Error('the password is hunter2'),
    new Fault('internal', 'the password is hunter2'),
    new InternalServerErrorException('hunter2'),
    Object.assign(new Error('hunter2'), { status: 500, expose: false }),
    'hunter2',
    null,
    undefined,
  ])('of %p is unknown', (error) => {
    expect(errorAnswer(error)).toBeUndefined();
  });

  it('has only a request id for an unexpected error', () => {
    expect(unknownAnswer('r1')).toEqual({
      status: 500,
      body: {
        statusCode: 500,
        code: 'internal',
        message: 'Internal error: something went wrong on our side; request r1.',
      },
    });
  });
});
