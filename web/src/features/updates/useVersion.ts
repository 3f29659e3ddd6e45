import { useState } from 'react';
import { ALL } from '../../lib/access.ts';
import { updatesApi } from '../../lib/api/updates.ts';

/**
 * The version that a rollout is about: the newest, as long as some device does not run it, until another one is chosen.
 * @param account whose devices it is for: an id, or ALL; undefined until chosen
 * @returns `others`: how many of its devices run another version; undefined until that is known
 */
export function useVersion(account: string | undefined) {
  const [chosen, choose] = useState<string | null>(null);
  const { data: there } = updatesApi.useListReleasesQuery({});
  const running = updatesApi.useListAgentVersionsQuery(account === ALL || !account ? {} : { account });
  const versions = (there?.releases ?? []).map((release) => release.version);
  const used = account ? running.currentData?.versions : undefined;
  // A device that has not reported its version is offered none.
  const runOther = (version: string) =>
    used?.filter((one) => one.version !== '' && one.version !== version).reduce((sum, { devices }) => sum + devices, 0);
  const [newest] = versions;
  const version = chosen ?? (newest !== undefined && runOther(newest) !== 0 ? newest : null);
  return { version, versions, choose, others: version === null ? undefined : runOther(version) };
}
