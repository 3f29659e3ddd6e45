import { GRANT_PERMISSIONS } from '@warren/rules/grants';
import type { AccessPreview } from '../../lib/api/types.ts';
import { access } from '../../lib/messages/access.ts';

const text = access.losses;

/** What a member loses, in a sentence; permissions on the same number of devices are named together. */
export function lossText(loses: AccessPreview['members'][number]['loses'], devices: number): string {
  const lost = Map.groupBy(
    GRANT_PERMISSIONS.filter((permission) => loses[permission] > 0),
    (permission) => loses[permission],
  );
  const parts = [...lost].map(([count, names], place) => {
    const may = names.map((name) => access.short[name]).join(', ');
    return place === 0 ? text.first(may, count, devices) : text.further(may, count);
  });
  return parts.length === 0 ? text.nothing : text.loses(parts);
}

/** Query of a page of the preview. */
export const previewOf = (account: string, page = 1) => ({ id: account, page });
