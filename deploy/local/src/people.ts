/** The people of a fresh start: one for each role of the operator, one for each role of a customer, and another customer. */
export interface SeedUser {
  email: string;
  name: string;
  /** A default group's name (console.md, section 3). */
  group: 'SuperAdmins' | 'Account Owners' | 'Admins' | 'Developers' | 'Members';
}

export interface SeedAccount {
  name: string;
  operator?: true;
  users: SeedUser[];
}

export const operatorEmail = 'superadmin@warren.example';

export const accounts: SeedAccount[] = [
  {
    name: 'Warren',
    operator: true,
    users: [
      { email: operatorEmail, name: 'Olivia Stone', group: 'SuperAdmins' },
      { email: 'admin@warren.example', name: 'Omar Haddad', group: 'Admins' },
      { email: 'member@warren.example', name: 'Otto Lindqvist', group: 'Members' },
    ],
  },
  {
    name: 'Meadow Farms',
    users: [
      { email: 'owner@meadow.example', name: 'Mara Quinn', group: 'Account Owners' },
      { email: 'admin@meadow.example', name: 'Milo Okafor', group: 'Admins' },
      { email: 'member@meadow.example', name: 'Mina Sato', group: 'Members' },
    ],
  },
  {
    name: 'Harbour Lab',
    users: [
      { email: 'owner@harbour.example', name: 'Hugo Brandt', group: 'Account Owners' },
      { email: 'member@harbour.example', name: 'Hana Novak', group: 'Members' },
    ],
  },
];

/** The account that this machine is enrolled into: the first customer. */
export const firstCustomer = 'Meadow Farms';

const roles: Record<SeedUser['group'], string> = {
  SuperAdmins: 'SuperAdmin',
  'Account Owners': 'Owner',
  Admins: 'Admin',
  Developers: 'Member',
  Members: 'Member',
};

/** The people as the sign-in page and the final block show them. */
export const people = accounts.flatMap((account) =>
  account.users.map(({ email, name, group }) => ({ email, name, role: roles[group], account: account.name })),
);
