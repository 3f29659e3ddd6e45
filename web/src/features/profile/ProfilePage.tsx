import { Text } from '@mantine/core';
import { messages } from '../../lib/messages.ts';
import { useSession } from '../../lib/session.ts';
import { Fields } from '../../ui/Fields.tsx';
import { Page } from '../../ui/Page.tsx';
import { Person } from '../../ui/Person.tsx';

const text = messages.profile;

/** Who one is here. */
export function ProfilePage() {
  const session = useSession();
  return (
    <Page title={text.title}>
      <div style={{ maxWidth: 520 }}>
        <Person name={session.name || session.email} picture={session.picture} size={64} />
        <div style={{ margin: '16px 0' }}>
          <Fields
            fields={[
              { label: text.name, value: session.name },
              { label: text.email, value: session.email },
              { label: text.role, value: session.group?.role ?? '–' },
              { label: text.account, value: session.account_name },
              { label: text.status, value: session.status },
            ]}
          />
        </div>
        <Text size="xs" c="dimmed">
          {text.source}
        </Text>
      </div>
    </Page>
  );
}
