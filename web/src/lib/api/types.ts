import type { GetSessionApiResponse, NewGroup } from './generated.ts';

export type { Account, Device, Group, GroupName, Invitation, InvitationLink, User, Workspace } from './generated.ts';
/** The signed-in person (specification, section 3). */
export type Session = GetSessionApiResponse;
/** A role that a group can be made with. */
export type GroupRole = NewGroup['role'];
