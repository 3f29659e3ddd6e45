import { z } from 'zod';

/**
 * How schemas say that a value is of another kind. What came instead is said by whoever reports the problem, in the words it came in:
 * zod's own text calls a word that is no number `NaN`.
 */
z.config({ customError: (issue) => (issue.code === 'invalid_type' ? `expected ${issue.expected}` : undefined) });
