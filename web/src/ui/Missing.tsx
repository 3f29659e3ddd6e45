import { Button } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { Link } from 'react-router';
import { messages } from '../lib/messages.ts';
import { Empty } from './Empty.tsx';

interface MissingProps {
  /** Type of the object, as in 'There is no such account'. */
  title: string;
  /** Path of the list of such objects. */
  to: string;
  label: string;
}

/** Replaces the page of an object that does not exist or that the reader may not see. */
export function Missing({ title, to, label }: MissingProps) {
  useDocumentTitle(`${title} · Warren`);
  return (
    <div role="alert" style={{ padding: 24 }}>
      <Empty
        whole
        title={title}
        text={messages.missing.text}
        action={
          <Button component={Link} to={to} variant="default">
            {label}
          </Button>
        }
      />
    </div>
  );
}
