import { z } from 'zod';

/** An enrolment token as it stands in an address or a body: base64url. Whether it is good, the devices service knows. */
export const enrolmentTokenText = z.string().regex(/^[\w-]{16,256}$/, 'expected an enrolment token');
