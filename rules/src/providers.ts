import { z } from 'zod';

/** Identifies an identity provider in URLs, in rules and in the audit trail. */
export const PROVIDER_ID = /^[a-z0-9][a-z0-9-]{0,31}$/;

const EXPECTED = 'expected the id of an identity provider, such as work';

/** The id of an identity provider. */
export const providerId = z.string(EXPECTED).regex(PROVIDER_ID, EXPECTED);
