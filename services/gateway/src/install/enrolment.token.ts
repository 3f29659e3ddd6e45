import { z } from 'zod';

/** An enrolment token in an address or a body: base64url. The devices service checks its validity. */
export const enrolmentTokenText = z.string().regex(/^[\w-]{16,256}$/, 'expected an enrolment token');
