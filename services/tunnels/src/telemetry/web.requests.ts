import { webRequests } from './metrics.ts';

type Counted = ReturnType<typeof webRequests.labels>;

/** Looking a counter up by its labels costs more than counting; statuses are few. */
const byStatus = new Map<number, Counted>();

/** Counts an answered request for a web service. */
export function countAnswer(status: number): void {
  let counted = byStatus.get(status);
  if (!counted) byStatus.set(status, (counted = webRequests.labels({ status: String(status) })));
  counted.inc();
}
