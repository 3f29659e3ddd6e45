/** Texts of the rules by which groups of identity providers map to groups of an account. */
export const groupRules = {
  title: 'Groups from sign-ins',
  lead: 'At each sign-in, the groups that the identity provider states decide the group of a user here. The first rule that matches decides. Rules move only users of Members and those whom a rule has moved: Owners, Admins, and users whom a person or SCIM put into another group stay there.',
  list: 'Group rules',
  empty: 'No group rules',
  emptyText: 'Users stay in the groups that people or SCIM put them into.',
  failed: 'The group rules could not be loaded.',
  columns: { value: 'Group at the provider', group: 'Group here', users: 'Users', actions: 'Actions' },
  leadsTo: (group: string) => `→ ${group}`,
  problems: {
    provider: 'Does nothing: this provider signs in nobody of the account.',
    provisioned: 'Does nothing: SCIM provisions this group now.',
  },
  add: 'Add group rule',
  addConfirm: 'Add rule',
  addFailed: 'The rule was not added.',
  provider: 'Identity provider',
  providerMissing: 'Choose an identity provider.',
  value: 'Group at the provider',
  valueHelp: (source: string) =>
    source === ''
      ? 'Its name or id, as the assertion states it in the attribute with groups.'
      : `Its name or id, as the provider states it in “${source}”.`,
  valueWrong: (length: number) => `Enter the name or id of a group, with ${length} characters at most.`,
  valueTaken: 'There is a rule for this group.',
  group: 'Group here',
  groupHelp: 'A group with the role Member that SCIM does not provision.',
  groupMissing: 'Choose a group.',
  noGroups: 'No group',
  takesEffect: 'The rule takes effect at the next sign-in of each user.',
  full: (count: number) => `An account has ${count} group rules at most. Remove one to add another.`,
  noProviders: 'No identity provider signs in people of this account. Invite a user, or verify the e-mail domain.',
  up: 'Move up',
  down: 'Move down',
  moveFailed: 'The rules were not reordered.',
  remove: 'Remove',
  removeTitle: 'Remove group rule',
  removeLead: (value: string, group: string) => `The group ${value} of the provider leads to ${group} no more.`,
  removeLoss: (count: number, group: string) =>
    count === 1
      ? `1 user moves from ${group} to Members, and loses the access that ${group} gives`
      : `${count} users move from ${group} to Members, and lose the access that ${group} gives`,
};
