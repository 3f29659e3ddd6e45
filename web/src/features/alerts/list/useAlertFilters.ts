import { useSearchParams } from 'react-router';
import { SEVERITIES, type SeverityName } from '../../../ui/Severity.tsx';

/** Which alerts are shown: in the address alone, so that a link shows the same. */
export interface AlertFilters {
  state: 'open' | 'closed';
  severity: SeverityName | null;
  rule: string | null;
  device: string | null;
  acknowledged: 'true' | 'false' | null;
  /** Alerts older than this one. */
  before: string | null;
}

const NAMES = ['state', 'severity', 'rule', 'device', 'acknowledged', 'before'] as const;

/** The filters in the address, and a way to change some. A change begins with the newest alerts again. */
export function useAlertFilters() {
  const [query, setQuery] = useSearchParams();
  const severity = query.get('severity') as SeverityName | null;
  const acknowledged = query.get('acknowledged');
  const filters: AlertFilters = {
    state: query.get('state') === 'closed' ? 'closed' : 'open',
    severity: severity && SEVERITIES.includes(severity) ? severity : null,
    rule: query.get('rule'),
    device: query.get('device'),
    acknowledged: acknowledged === 'true' || acknowledged === 'false' ? acknowledged : null,
    before: query.get('before'),
  };
  const put = (change: Partial<Record<keyof AlertFilters, string | null>>, replace = true) =>
    setQuery(
      (now) => {
        const next = new URLSearchParams(now);
        for (const [key, value] of Object.entries({ before: null, ...change })) {
          if (value === null || value === '' || (key === 'state' && value === 'open')) next.delete(key);
          else next.set(key, value);
        }
        return next;
      },
      { replace },
    );
  return {
    filters,
    isFiltered:
      filters.severity !== null || filters.rule !== null || filters.device !== null || filters.acknowledged !== null,
    change: (change: Partial<Record<keyof AlertFilters, string | null>>) => put(change),
    page: (before: string | null) => put({ before }, false),
    clear: () => put(Object.fromEntries(NAMES.filter((name) => name !== 'state').map((name) => [name, null]))),
  };
}
