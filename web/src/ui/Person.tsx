import { Avatar } from '@mantine/core';

/** Shows a person's picture, or their initials without one. */
export function Person({ name, picture, size = 28 }: { name: string; picture?: string | null; size?: number }) {
  return (
    <Avatar src={picture || null} name={name} alt="" size={size} radius="xl" color="teal" variant="light">
      {name ? undefined : '?'}
    </Avatar>
  );
}
