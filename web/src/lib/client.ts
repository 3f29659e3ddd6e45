import { createSlice } from '@reduxjs/toolkit';
import type { PayloadAction } from '@reduxjs/toolkit';
import { useDispatch, useSelector } from 'react-redux';
import { ALL, maySee } from './access.ts';
import type { Person } from './access.ts';
import { keys, recall, remember } from './storage.ts';

/** The account that an operator user has chosen ('client' in the specification): an account id, or ALL. */
export interface ClientState {
  selected: string;
}

export const client = createSlice({
  name: 'client',
  initialState: (): ClientState => ({ selected: recall(keys.client) ?? ALL }),
  reducers: {
    selected: (state, action: PayloadAction<string>) => {
      state.selected = action.payload;
    },
  },
});

/** Forgets the chosen account, at sign-out and without a session. */
export const forgetClient = (): void => remember(keys.client, null);

/** Returns the chosen account and a function to choose another, stored in this browser. */
export function useClient(): [string, (account: string) => void] {
  const dispatch = useDispatch();
  const selected = useSelector((state: { client: ClientState }) => state.client.selected);
  const select = (account: string) => {
    remember(keys.client, account === ALL ? null : account);
    dispatch(client.actions.selected(account));
  };
  return [selected, select];
}

/** Returns the path of the chosen account's devices; people outside the operator account have only their own. */
export const devicesPath = (person: Person, chosen: string): string => listPath('/devices', person, chosen);

/** Returns the path of the chosen account's users; for ALL, people without access to all accounts get their own account's. */
export const usersPath = (person: Person, chosen: string): string =>
  listPath('/users', person, chosen === ALL && !maySee(person, 'allUsers') ? person.account : chosen);

/** A page of alerts, for the chosen account: `/alerts`, or one below it. */
export const alertsPath = (person: Person, chosen: string, page = '/alerts'): string =>
  person.operator && chosen !== ALL ? `${page}?account=${encodeURIComponent(chosen)}` : page;

/** Tells whether the query of a page names the account that it shows. */
export const hasAccountInQuery = (path: string): boolean => /^\/(alerts|(audit|sessions)$)/.test(path);

/** The audit trail of the chosen account. */
export const auditPath = (person: Person, chosen: string): string => alertsPath(person, chosen, '/audit');

/** The recordings of the chosen account. */
export const sessionsPath = (person: Person, chosen: string): string => alertsPath(person, chosen, '/sessions');

/** Where the groups of the chosen account are listed; this list has no address without an account. */
export const groupsPath = (person: Person, chosen: string): string =>
  `/groups/${person.operator ? chosen : person.account}`;

function listPath(list: string, person: Person, chosen: string): string {
  if (!person.operator) return `${list}/${person.account}`;
  return chosen === ALL ? list : `${list}/${chosen}`;
}
