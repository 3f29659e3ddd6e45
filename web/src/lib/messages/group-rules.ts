/** Texts of the rules by which groups of identity providers map to groups of an account. */
export const groupRules = {
  title: 'Group mapping',
  lead: 'Rules map a user’s groups at the identity provider to a group of this account, at each sign-in. The first rule that matches decides. Rules move users out of Members and out of groups where a rule has put them; all others stay. Moving a user to Members hands the user to the rules.',
  membersProvisioned: 'SCIM provisions Members, so rules move no users out of it.',
  list: 'Group rules',
  empty: 'No group rules',
  emptyText: 'Users stay in the groups that people or SCIM put them into.',
  failed: 'The group rules could not be loaded.',
  columns: { value: 'Group at the provider', group: 'Warren group', users: 'Users', actions: 'Actions' },
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
  group: 'Warren group',
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
  removeLead: (value: string, group: string) => `The provider’s group ${value} no longer maps to ${group}.`,
  removeLoss: (count: number, group: string) =>
    count === 1
      ? `1 user moves from ${group} to Members, and loses the access that ${group} gives`
      : `${count} users move from ${group} to Members, and lose the access that ${group} gives`,
};

/** Says of a move to the default group by hand what rules do afterwards. */
export const handedToRules =
  'If the account has a group rule that matches, the next sign-in moves the user out of Members again. To prevent that, choose another group.';
