import { mayScheduleUpdates } from './access.ts';

/** Whether a person may change the grants of an account: its owner and admins, and SuperAdmins. */
export const mayManageGrants = mayScheduleUpdates;

/** The name of the page about grants, apart from its other texts, which only the page needs. */
export const grantsTitle = 'Access';
