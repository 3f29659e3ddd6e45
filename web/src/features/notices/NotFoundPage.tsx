import { Button } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { Link } from 'react-router';
import { messages } from '../../lib/messages.ts';
import { Mark } from '../../ui/Mark.tsx';
import { Splash } from '../../ui/Splash.tsx';

export function NotFoundPage() {
  useDocumentTitle(`${messages.notices.lostTitle} · Warren`);
  return (
    <Splash>
      <Mark size={56} strokeWidth={1.4} color="var(--accent)" />
      <h1 style={{ margin: 0, fontSize: 28 }}>{messages.notices.lost}</h1>
      <span>{messages.notices.lostDetail}</span>
      <Button component={Link} to="/">
        {messages.notices.home}
      </Button>
    </Splash>
  );
}
