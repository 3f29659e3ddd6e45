import type { GetSessionApiResponse } from './generated.ts';

export type { Account, Device, Group, User, Workspace } from './generated.ts';
/** The signed-in person (specification, section 3). */
export type Session = GetSessionApiResponse;
