import { describe, expect, it, jest } from '@jest/globals';
import type { LoggerService } from '@nestjs/common';
import { quietStart } from './logger.ts';

describe('the log of a start', () => {
  const written = () => {
    const [log, debug, warn] = [jest.fn(), jest.fn(), jest.fn()];
    return { log, debug, warn, error: jest.fn() } satisfies LoggerService;
  };

  it('leaves out the modules and routes that Nest sets up, unless one debugs', () => {
    const logger = written();
    const quiet = quietStart(logger);
    quiet.log('Mapped {/api, GET} route', 'RouterExplorer');
    quiet.log('Listening.', 'Gateway');
    quiet.warn('Careful.', 'RouterExplorer');
    expect(logger.log.mock.calls).toEqual([['Listening.', 'Gateway']]);
    expect(logger.debug.mock.calls).toEqual([['Mapped {/api, GET} route', 'RouterExplorer']]);
    expect(logger.warn.mock.calls).toEqual([['Careful.', 'RouterExplorer']]);
  });
});
