import type { UserCaller } from '@warren/platform/rpc/caller';

/** Who a session belongs to at the device: its agent keeps terminals by the id, and logs the address. */
export interface DeviceUser {
  userId: string;
  userEmail: string;
}

/** A guest is somebody else than the maker of the link: neither reaches the terminals of the other. */
export function deviceUser({ userId, email, guest }: Pick<UserCaller, 'userId' | 'email' | 'guest'>): DeviceUser {
  if (!guest) return { userId, userEmail: email };
  return { userId: guest.id, userEmail: `guest-${guest.id}@guest.invalid` };
}
