import { join, resolve } from 'node:path';
import { stringify } from 'yaml';
import { dashboardOf, type Board } from './dashboard.ts';
import { api } from './dashboards/api.ts';
import { dependencies } from './dashboards/dependencies.ts';
import { fleet } from './dashboards/fleet.ts';
import { recordings } from './dashboards/recordings.ts';
import { tunnels } from './dashboards/tunnels.ts';
import { boardOfChosen } from './installation.ts';
import { alertGroups } from './rules/alerts.ts';
import { capacityGroups } from './rules/capacity.ts';
import { providerGroups } from './rules/provider.ts';
import { recordingGroups } from './rules/recordings.ts';
import { plain, type Group } from './rules/rule.ts';
import { sloGroups } from './rules/slo.ts';

export const root = resolve(import.meta.dirname, '../../..');

/** In the chart's folder, also for installations without the chart. */
export const FILES = join(root, 'helm/warren/files');

export const boards: readonly Board[] = [fleet, tunnels, api, dependencies, recordings].map(boardOfChosen);

export const ruleFiles: Readonly<Record<string, readonly Group[]>> = {
  alerts: [...alertGroups, ...providerGroups, ...capacityGroups, ...recordingGroups],
  slo: sloGroups,
};

const GENERATED = '# Made by `make dashboards` from deploy/observability; change it there.\n';

/**
 * Builds all generated files, by path below {@link FILES}.
 * @param runbooks URL of the folder with the runbooks
 */
export function artefacts(runbooks?: string): Record<string, string> {
  const dashboards = boards.map((board): [string, string] => [
    `dashboards/${board.uid}.json`,
    `${JSON.stringify(dashboardOf(board), undefined, 2)}\n`,
  ]);
  const rules = Object.entries(ruleFiles).map(([name, groups]): [string, string] => [
    `rules/${name}.yaml`,
    GENERATED + stringify({ groups: groups.map((group) => plain(group, runbooks)) }, { lineWidth: 0 }),
  ]);
  return Object.fromEntries([...dashboards, ...rules]);
}
