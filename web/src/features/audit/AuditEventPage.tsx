import { Skeleton } from '@mantine/core';
import { useParams } from 'react-router';
import { isRefusal } from '../../lib/api/errors.ts';
import { auditApi } from '../../lib/api/audit.ts';
import { actionText } from '../../lib/messages/audit-actions.ts';
import { audit as text } from '../../lib/messages/audit.ts';
import { messages } from '../../lib/messages.ts';
import { Failure } from '../../ui/Failure.tsx';
import { Missing } from '../../ui/Missing.tsx';
import { Page } from '../../ui/Page.tsx';
import { Trail } from '../../ui/Trail.tsx';
import { EventDetails } from './EventDetails.tsx';
import { OutcomeMark } from './AuditRow.tsx';

const LIST = '/audit';

/** One event, for a link that people pass on. */
export function AuditEventPage() {
  const { id = '' } = useParams();
  const { currentData, error, refetch } = auditApi.useGetAuditEventQuery({ id });
  const event = currentData?.event;
  if (isRefusal(error)) return <Missing title={text.missing} to={LIST} label={text.all} />;
  return (
    <Page
      title={event ? actionText(event.action) : text.title}
      trail={
        <Trail
          steps={[
            { label: messages.nav.home, to: '/' },
            { label: text.title, to: LIST },
          ]}
        />
      }
      actions={event ? <OutcomeMark outcome={event.outcome} /> : null}
    >
      {event ? (
        <EventDetails event={event} />
      ) : error ? (
        <Failure title={text.failed} error={error} retry={refetch} />
      ) : (
        <Skeleton height={240} radius="md" />
      )}
    </Page>
  );
}
