import { Button } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { Link } from 'react-router';
import { messages } from '../lib/messages.ts';
import { Empty } from './Empty.tsx';

interface MissingProps {
  /** What was looked for, as in 'There is no such account'. */
  title: string;
  /** Where such things are listed. */
  to: string;
  label: string;
}

/** Takes the place of a page about a thing that does not exist or that the reader may not see. */
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
