import { keptSecrets } from '@warren/local/secrets';
import { firstCustomer } from '@warren/local/people';
import { places } from '@warren/local/settings';
import type { Warren } from '@warren/local/warren';
import { enrolSimulated } from '../data/fleet.ts';

/** What a fleet needs to dial. */
export interface Enrolled {
  secret: string;
  audience: string;
}

/** Enrols a fleet in the database of a local Warren, unless it is; it belongs to the first customer. */
export async function enrolFleet(warren: Warren, agents: number): Promise<Enrolled> {
  const { simulation: secret = '' } = await keptSecrets(places(warren.settings.home).secrets, ['simulation']);
  const account = warren.accounts.find(({ name }) => name === firstCustomer)?.id;
  if (account === undefined) throw new Error(`There is no account "${firstCustomer}".`);
  await enrolSimulated(warren.databases['devices'] ?? '', { account, count: agents, secret });
  return { secret, audience: warren.urls.hub };
}
