import { describe, expect, it } from '@jest/globals';
import { POLICY } from '@warren/platform/policy/policy';
import { FactsSchema } from '@warren/proto/agent/v1/agent';
import { EXAMPLE_FACTS, factsSchema } from '@warren/rules/facts';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const found = (...globs: string[]) => globs.flatMap((glob) => globSync(glob, { cwd: root })).toSorted();
const page = read('docs/extending.md');

/** The list of a section, up to the next heading or the first paragraph after it. */
function steps(title: string): string {
  const [, section = ''] = page.split(`## ${title}\n`);
  const [, list = ''] = /\n((?:\d\. [^]*?\n)+)\n/.exec(`${section.split('\n## ')[0]}\n\n`) ?? [];
  return list;
}
const linked = (text: string) =>
  [...text.matchAll(/\]\((?!http)([^)#]+)(?:#[^)]*)?\)/g)].map(([, link = '']) =>
    relative(root, join(root, 'docs', link)),
  );

describe('docs/extending.md', () => {
  it('names files that exist, in each list', () => {
    const titles = [...page.matchAll(/^## (Add .*)$/gm)].map(([, title = '']) => title);
    expect(titles).toHaveLength(6);
    for (const title of titles) expect(linked(steps(title)).length).toBeGreaterThan(2);
    for (const path of linked(page))
      expect({ path, there: existsSync(join(root, path)) }).toEqual({ path, there: true });
  });

  it('names commands that exist', () => {
    const targets = [...page.matchAll(/`(?:\w+='.*?' )?make ([a-z0-9-]+)/g)].map(([, target = '']) => target);
    expect(targets.length).toBeGreaterThan(5);
    for (const target of targets) expect(read('Makefile')).toMatch(new RegExp(`^${target}:`, 'm'));
    const runs = [...page.matchAll(/make unit JEST='-c (\S+) (\w+)'/g)];
    expect(runs).not.toEqual([]);
    for (const [, config = '', name = ''] of runs)
      expect(found(`${dirname(config)}/{src,test}/**/*${name}*.spec.ts`)).not.toEqual([]);
  });

  it('names tests that exist', () => {
    const tests = [...page.matchAll(/\]\((\S+)\): "(.+?)"/g)];
    expect(tests.length).toBeGreaterThan(8);
    for (const [, link = '', title = ''] of tests) expect(read(join('docs', link))).toContain(title);
  });
});

describe('a fact', () => {
  const list = linked(steps('Add a fact'));
  const names = Object.keys(factsSchema.shape);
  const fields = new Map(FactsSchema.fields.map(({ name, localName }) => [name, localName]));
  /** Those that the API shows in another form or not at all. */
  const inAnotherForm: Record<string, string | undefined> = {
    uptime_seconds: 'uptime',
    throttled: 'throttling',
    arch: undefined,
  };

  /** Usage has bars in the panel; the rest is a list that the device page shows too. */
  const panel = ['web/src/ui/machine-fields.tsx', 'web/src/features/device/DetailsPanel.tsx'].map(read).join('\n');

  /** The hub measures it, in place of the agent. */
  const measured: Record<string, string | undefined> = {
    clock_offset: 'services/tunnels/src/links/clock.offset.ts',
  };

  it('touches at most six files', () => {
    expect(list.length).toBeLessThanOrEqual(6);
  });

  it.each(names)('%s is reported, read by the agent, in the example and in the panel', (name) => {
    expect(fields.has(name)).toBe(true);
    expect(read(measured[name] ?? 'agent/src/system/facts.ts')).toMatch(new RegExp(`\\b${fields.get(name)}\\b`));
    expect(EXAMPLE_FACTS).toHaveProperty(name);
    const shown = name in inAnotherForm ? inAnotherForm[name] : name;
    if (shown) expect(panel).toMatch(new RegExp(`\\b${shown}\\b`));
  });

  // Its label is in a part of the catalogue; it takes each of the other steps. Lists filter and sort by it besides, and its history is kept.
  it('such as the temperature is named by the files of the list and no others', () => {
    const sources = found('{agent,rules,services/*,web,transport}/src/**/*.{ts,tsx}', 'proto/warren/**/*.proto').filter(
      (path) =>
        !/\.spec\.tsx?$|\/(migrations|testing|generated)\/|\/former\.columns\.ts$/.test(path) && !BESIDES.test(path),
    );
    expect(sources.length).toBeGreaterThan(500);
    const naming = sources.filter((path) => /\btemperature\b/.test(read(path)));
    const label = (path: string) => path.replace('messages/heat.ts', 'messages.ts');
    expect(naming.map(label).toSorted()).toEqual(list.toSorted());
  });
});

/** Filters and sorts of the list, rankings of it, alerts, and the history of usage. */
const BESIDES =
  /\/filters?\/|rules\/src\/expressions\.|\/alerts(\.ts|\/)|device-list\.(query|order)|(services|warren)\/fleet\/|\/metrics(\/|\.reporter)|gateway\/src\/devices\/(device|saved-filters)\.(schemas|mapper)|features\/devices\/(columns|column-ids|page\/)|\/home\/|messages\/(fleet|device-page)/;

describe('a page', () => {
  const routes = [...read('web/src/app/router.tsx').matchAll(/\bpath: '(\/[^']*)'/g)].map(([, path = '']) => path);
  const shape = (path: string) => path.replace(/[:{]\w+\}?/g, '*').replace(/\/?\?.*/, '');
  /** Where a person is sent; rows of the table lead there. */
  const notices = ['/account_issue', '/account_disable'];

  it('has a row in the table of routes', () => {
    expect(routes.length).toBeGreaterThan(20);
    const rows = [...read('deploy/e2e/tests/matrix/routes.table.ts').matchAll(/^(\/\S*) +\|/gm)];
    const tested = rows.map(([, route = '']) => shape(route));
    for (const route of routes.filter((path) => !notices.includes(path))) expect(tested).toContain(shape(route));
  });

  it('has its pictures, if it is a screen', () => {
    const text = read('deploy/e2e/support/screens/pages.ts');
    const screens = [...text.matchAll(/name: '([a-z-]+)'/g)].map(([, name = '']) => name);
    expect(screens.length).toBeGreaterThan(25);
    const pictured = read('docs/pages.md');
    for (const name of screens) expect(pictured).toContain(`(pictures/${name}-light.webp)`);
    for (const [, file = ''] of pictured.matchAll(/\((pictures\/[^)]+)\)/g))
      expect({ file, there: existsSync(join(root, 'docs', file)) }).toEqual({ file, there: true });
  });
});

describe('an alert', () => {
  it('has a test of when it fires', () => {
    const rules = found('helm/warren/files/rules/*.yaml').map(read).join('\n');
    const alerts = [...rules.matchAll(/alert: (\w+)/g)].map(([, name = '']) => name);
    expect(alerts.length).toBeGreaterThan(30);
    const tests = found('deploy/observability/test/*.test.yaml').map(read).join('\n');
    for (const name of alerts) expect(tests).toMatch(new RegExp(`alertname: ${name}\\b`));
  });
});

describe('a metric', () => {
  const metrics = found('services/*/src/**/*.ts')
    .filter((path) => !path.endsWith('.spec.ts'))
    .flatMap((path) => [...read(path).matchAll(/\bname: '(warren_\w+)'/g)].map(([, name = '']) => name));
  const watch = read('docs/watch.md');

  it('is in the reference', () => {
    expect(metrics.length).toBeGreaterThan(50);
    const named = [...watch.matchAll(/`(…?)([a-z_]+)`/g)];
    const isNamed = (name: string) =>
      named.some(([, short, text = '']) => (short ? name.endsWith(text) : name === text));
    expect(metrics.filter((name) => !isNamed(name))).toEqual([]);
  });

  it('is on a dashboard or in a rule, or the reference says why not', () => {
    const shown = found('helm/warren/files/{dashboards,rules}/*').map(read).join('\n');
    const [, table = ''] = /No dashboard or alert reads these:\n\n([^]*?)\n\n/.exec(watch) ?? [];
    const excused = [...table.matchAll(/^\| `(warren_\w+)`/gm)].map(([, name]) => name);
    expect(metrics.filter((name) => !shown.includes(name)).toSorted()).toEqual(excused.toSorted());
  });
});

describe('a permission', () => {
  /** In the `permissions` of sessions since 0.1.0; `devices.read` decides what a list shows. */
  const unused = ['devices.list-all'];

  it('is asked for by a service', () => {
    const services = found('services/*/src/**/*.ts').filter((path) => !/\.spec\.ts$|\/policy\//.test(path));
    const text = services.map(read).join('\n');
    expect(Object.keys(POLICY).filter((action) => !text.includes(`'${action}'`))).toEqual(unused);
  });
});
