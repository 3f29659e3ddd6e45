import { Badge } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './NameWithBadge.module.css';

interface NameWithBadgeProps {
  children: ReactNode;
  badge: string | undefined;
  /** Highlights the badge. */
  warn?: boolean;
}

/** A name, cut if too long, with an uncut badge beside it, or below it in a narrow window. */
export function NameWithBadge({ children, badge, warn = false }: NameWithBadgeProps) {
  return (
    <span className={classes.root}>
      <span className={classes.name}>{children}</span>
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
