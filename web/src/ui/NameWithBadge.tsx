import { Badge } from '@mantine/core';
import type { ReactNode } from 'react';

interface NameWithBadgeProps {
  children: ReactNode;
  badge: string | undefined;
  /** Somebody still has to do something about it. */
  warn?: boolean;
}

/** A name that is cut when there is no room, and a word beside it that is not. */
export function NameWithBadge({ children, badge, warn = false }: NameWithBadgeProps) {
  return (
    <span style={{ display: 'flex', alignItems: 'center', gap: 8, minWidth: 0 }}>
      <span style={{ overflow: 'hidden', textOverflow: 'ellipsis', minWidth: 0, display: 'inline-flex' }}>
        {children}
      </span>
      {badge ? (
        <Badge
          variant="default"
          size="sm"
          tt="none"
          fw={400}
          radius="sm"
          style={{ flex: 'none', ...(warn ? { color: 'var(--state-warn)', borderColor: 'currentcolor' } : {}) }}
        >
          {badge}
        </Badge>
      ) : null}
    </span>
  );
}
