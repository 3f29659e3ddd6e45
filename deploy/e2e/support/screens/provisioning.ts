import { fromButton, fromMenu, type Named } from './openers.ts';
import type { Screen } from './screen.ts';

const domains: Named = ({ estate }) => `/domains/${estate.id}`;
const scim: Named = ({ estate }) => `/scim/${estate.id}`;

/** The dialogs of domains, SCIM tokens and group rules. */
export const provisioningDialogs: readonly Screen[] = [
  { name: 'add-domain', ...fromButton(domains, 'Add domain', 'Add domain') },
  { name: 'confirm-domain', unpictured: true, ...fromButton(domains, 'Confirm vineyard.example', 'Confirm domain') },
  { name: 'remove-domain', unpictured: true, ...fromButton(domains, 'Remove vineyard.example', 'Remove domain') },
  { name: 'new-scim-token', ...fromButton(scim, 'New SCIM token', 'New SCIM token') },
  { name: 'revoke-scim-token', unpictured: true, ...fromButton(scim, 'Revoke Entra ID', 'Revoke SCIM token') },
  { name: 'add-group-rule', ...fromButton(scim, 'Add group rule', 'Add group rule') },
  {
    name: 'remove-group-rule',
    unpictured: true,
    ...fromMenu(scim, () => 'engineering', 'Remove', 'Remove group rule'),
  },
];
