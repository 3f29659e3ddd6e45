import { z } from 'zod';

/**
 * Words the type errors of schemas. The reporter of the problem adds the original value: zod's own text calls a word that is no
 * number `NaN`.
 */
z.config({ customError: (issue) => (issue.code === 'invalid_type' ? `expected ${issue.expected}` : undefined) });
