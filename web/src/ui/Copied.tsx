import { ActionIcon, CopyButton } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { messages } from '../lib/messages.ts';
import classes from './Copied.module.css';

interface CopiedProps {
  /** Name of the value, as in 'Copy Device ID'. */
  label: string;
  value: string;
  children?: ReactNode;
  /** In a table: one line, and the button appears on hover and focus. */
  inRow?: boolean;
}

/** Shows an id, an address or a URL with a button to copy it; without a value there is no button. */
export function Copied({ label, value, children, inRow = false }: CopiedProps) {
  if (value === '') return <>–</>;
  return (
    <span className={classes.root} data-in-row={inRow || undefined}>
      <span className={classes.value}>{children ?? value}</span>
      <CopyButton value={value} timeout={2_000}>
        {({ copied, copy }) => (
          <ActionIcon
            className={classes.button}
            data-copied={copied || undefined}
            variant="subtle"
            color="gray"
            size={22}
            aria-label={copied ? messages.common.copied : messages.common.copyOf(label)}
            title={messages.common.copyOf(label)}
            onClick={copy}
          >
            {copied ? <IconCheck size={14} color="var(--state-good)" /> : <IconCopy size={14} />}
          </ActionIcon>
        )}
      </CopyButton>
    </span>
  );
}
