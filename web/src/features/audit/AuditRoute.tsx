import { useParams } from 'react-router';
import { AuditEventPage } from './AuditEventPage.tsx';
import { AuditPage } from './AuditPage.tsx';
import { StreamsPage } from './streams/StreamsPage.tsx';

/** The audit trail, one of its events, or its streams. One route for all: each costs every page some bytes. */
export function AuditRoute() {
  const { id } = useParams();
  if (id === 'streams') return <StreamsPage />;
  return id ? <AuditEventPage /> : <AuditPage />;
}
