import type { GetSessionApiResponse } from './generated/lists.ts';
import type { NewGroup } from './generated/people.ts';

export type { Account, Device, Group, User, Workspace } from './generated/lists.ts';
export type { GroupName, Invitation, InvitationLink } from './generated/people.ts';
/** The signed-in person (specification, section 3). */
export type Session = GetSessionApiResponse;
/** A role that a group can be made with. */
export type GroupRole = NewGroup['role'];
