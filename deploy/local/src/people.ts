const operator = 'Warren';
const customer = 'Meadow Farms';
const otherCustomer = 'Harbour Lab';

/** The people of a new installation: each role of the operator, each role of a customer, another customer. */
export const people = [
  { email: 'superadmin@warren.example', name: 'Olivia Stone', role: 'SuperAdmin', account: operator },
  { email: 'admin@warren.example', name: 'Omar Haddad', role: 'Admin', account: operator },
  { email: 'member@warren.example', name: 'Otto Lindqvist', role: 'Member', account: operator },
  { email: 'owner@meadow.example', name: 'Mara Quinn', role: 'Owner', account: customer },
  { email: 'admin@meadow.example', name: 'Milo Okafor', role: 'Admin', account: customer },
  { email: 'member@meadow.example', name: 'Mina Sato', role: 'Member', account: customer },
  { email: 'owner@harbour.example', name: 'Hugo Brandt', role: 'Owner', account: otherCustomer },
  { email: 'member@harbour.example', name: 'Hana Novak', role: 'Member', account: otherCustomer },
] as const;

/** The first SuperAdmin. */
export const operatorEmail = people[0].email;
export const operatorAccount = operator;
/** The account that this machine is enrolled into: the first customer. */
export const firstCustomer = customer;

/** The default group of each role (console.md, section 3). */
const groups = { SuperAdmin: 'SuperAdmins', Owner: 'Account Owners', Admin: 'Admins', Member: 'Members' } as const;

/** The accounts with their users, for the seed of the tenancy service. */
export const accounts = [...Map.groupBy(people, (person) => person.account)].map(([name, members]) => ({
  name,
  ...(name === operator && { operator: true }),
  users: members.map(({ email, name: called, role }) => ({ email, name: called, group: groups[role] })),
}));
