import { describe, expect, it } from '@jest/globals';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { dashboardOf } from './dashboard.ts';
import { artefacts, boards, FILES } from './artefacts.ts';
import { PUBLISHED_RUNBOOKS } from './rules/rule.ts';

interface FieldConfig {
  defaults: { noValue?: string };
}

describe('dashboards and alert rules', () => {
  it('are what their descriptions say: `make dashboards` changes nothing', async () => {
    for (const [path, text] of Object.entries(artefacts()))
      expect({ path, text: await readFile(join(FILES, path), 'utf8') }).toEqual({ path, text });
    for (const folder of ['dashboards', 'rules'])
      for (const name of await readdir(join(FILES, folder))) expect(artefacts()).toHaveProperty([`${folder}/${name}`]);
  });

  it('link to runbooks at an absolute address, which may be another one', () => {
    for (const base of [undefined, 'https://wiki.example.com/warren']) {
      const urls = artefacts(base)['rules/alerts.yaml']?.match(/runbook_url: .*/g) ?? [];
      expect(urls.length).toBeGreaterThan(20);
      for (const url of urls) expect(url).toMatch(new RegExp(`: ${base ?? PUBLISHED_RUNBOOKS}/[a-z-]+\\.md$`));
    }
  });

  it('have panels with unique titles, and lines with unique legends', () => {
    for (const { uid, panels } of boards) {
      expect(new Set(panels.map(({ title }) => title)).size).toBe(panels.length);
      for (const { title, lines } of panels)
        expect({ uid, title, legends: new Set(lines.map(({ legend }) => legend)).size }).toEqual({
          uid,
          title,
          legends: lines.length,
        });
    }
  });

  it('say in Grafana why a panel is empty, where all of it may be', () => {
    const shown = boards.flatMap(
      (board) => dashboardOf(board).panels as { title: string; fieldConfig?: FieldConfig }[],
    );
    const said = (title: string) => shown.find((panel) => panel.title === title)?.fieldConfig?.defaults.noValue;
    expect(said('Server errors by route')).toBe('There were none');
    expect(said('From dial to link')).toBe('No device has dialled lately');
    // One of its lines is always there.
    expect(said('Age of events')).toBeUndefined();
  });
});
