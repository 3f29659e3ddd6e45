import { useParams } from 'react-router';
import { AuditEventPage } from './AuditEventPage.tsx';
import { AuditPage } from './AuditPage.tsx';

/** The audit trail, or one of its events. One route for both: each costs every page some bytes. */
export function AuditRoute() {
  const { id } = useParams();
  return id ? <AuditEventPage /> : <AuditPage />;
}
