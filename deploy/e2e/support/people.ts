import { people } from '@warren/local/people';

/** The people of the tests: one of each role in the operator's account and in a customer's, and one of another customer. */
const emails = {
  superAdmin: 'superadmin@warren.example',
  operatorAdmin: 'admin@warren.example',
  operatorMember: 'member@warren.example',
  owner: 'owner@meadow.example',
  admin: 'admin@meadow.example',
  member: 'member@meadow.example',
  otherOwner: 'owner@harbour.example',
  otherMember: 'member@harbour.example',
} as const;

export type Who = keyof typeof emails;

export interface Person {
  email: string;
  name: string;
  role: string;
  account: string;
}

export const everybody = Object.keys(emails) as Who[];

/** One of the people that a fresh start has. */
export function person(who: Who): Person {
  const found = people.find(({ email }) => email === emails[who]);
  if (!found) throw new Error(`people: there is no ${emails[who]}`);
  return found;
}

export const operators: readonly Who[] = ['superAdmin', 'operatorAdmin', 'operatorMember'];
