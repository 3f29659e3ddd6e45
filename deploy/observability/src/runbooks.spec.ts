import { beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse, parseAllDocuments } from 'yaml';
import { root, ruleFiles } from './artefacts.ts';
import { RUNBOOKS, runbookOf, type Alert } from './rules/rule.ts';
import { blocksOf, commandsOf, runbooks, type Command } from './runbooks.ts';

const alerts = Object.values(ruleFiles)
  .flat()
  .flatMap(({ rules }) => rules)
  .filter((rule): rule is Alert => 'name' in rule);

describe('runbooks', () => {
  let texts: Map<string, string>;
  beforeAll(async () => {
    texts = await runbooks();
  });

  it('are there for every alert, and say what it means, what to look at and what to do', () => {
    for (const name of new Set(alerts.map(runbookOf))) {
      const text = texts.get(name) ?? '';
      const headings = [...text.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading);
      expect({ name, headings }).toEqual({ name, headings: ['What it means', 'What to look at', 'What to do'] });
      for (const alert of alerts) if (runbookOf(alert) === name) expect(text).toContain(alert.name);
    }
  });

  it('belong to existing alerts, and their links lead somewhere', async () => {
    const known = new Set(alerts.map(runbookOf));
    const folder = join(root, RUNBOOKS);
    for (const file of await readdir(folder)) {
      if (file !== 'README.md') expect(known).toContain(file.replace(/\.md$/, ''));
      const text = await readFile(join(folder, file), 'utf8');
      for (const [, link = ''] of text.matchAll(/\]\(((?!http)[^)#]+)(?:#[^)]*)?\)/g))
        expect({ file, link, there: existsSync(join(folder, link)) }).toEqual({ file, link, there: true });
    }
  });

  it('have commands for Compose and for a cluster', () => {
    for (const [name, text] of texts) {
      const typed = blocksOf(name, text).filter(({ section }) => section === 'What to look at');
      const found = { name, compose: typed.some(onCompose), cluster: typed.some(onCluster) };
      expect(found).toEqual({ name, compose: true, cluster: true });
    }
  });

  const all = () => [...texts].flatMap(([name, text]) => commandsOf(name, text));

  it('name services that Compose has', async () => {
    const { services } = parse(await readFile(join(root, 'deploy/compose/compose.yaml'), 'utf8'), { merge: true }) as {
      services: object;
    };
    const named = all().flatMap(servicesIn);
    expect(named.length).toBeGreaterThan(50);
    for (const one of named) expect(Object.keys(services)).toContain(one.service);
  });

  it('name objects and components that the chart makes', async () => {
    const { objects, components } = await chart();
    const named = all().flatMap(({ text }) => [...text.matchAll(/\b(?:deploy|statefulset|cronjob)\/\$FULL-[a-z]+/g)]);
    expect(named.length).toBeGreaterThan(20);
    for (const [object] of named) expect(objects).toContain(object);
    const selected = all().flatMap(({ text }) => [...text.matchAll(/kubernetes\.io\/component=([a-z]+)/g)]);
    expect(selected.length).toBeGreaterThan(20);
    for (const [, component] of selected) expect(components).toContain(component);
  });
});

function onCompose({ text }: Command): boolean {
  return /\bdocker |^ls -l backups/.test(text);
}

function onCluster({ text }: Command): boolean {
  return text.startsWith('kubectl ');
}

/** What `docker compose` is asked about, with the command that asks. */
function servicesIn({ text }: Command): { text: string; service: string }[] {
  return [...text.matchAll(/docker compose (logs|ps|exec|restart|run|up) ([^|;&)]*)/g)].flatMap(
    ([, asked = '', rest = '']) => {
      const words = rest.replaceAll(/--(?:since|tail|format) (?:'[^']*'|\S+)/g, '').split(/\s+/);
      const names = words.filter((word) => word !== '' && !word.startsWith('-'));
      // After the service comes what it executes.
      const services = asked === 'exec' || asked === 'run' ? names.slice(0, 1) : names;
      return services.map((service) => ({ text, service }));
    },
  );
}

/** What the chart makes of each of two sets of values, under the names that the runbooks use. */
async function chart(): Promise<{ objects: string[]; components: string[] }> {
  const own = join(root, '.warren/tools/helm');
  const texts = ['trying-out', 'backup'].map(async (values) => {
    const args = [
      'template',
      'warren',
      'helm/warren',
      '--kube-version',
      '1.33.0',
      '-f',
      `helm/warren/ci/${values}.yaml`,
    ];
    return (await promisify(execFile)(existsSync(own) ? own : 'helm', args, { cwd: root, maxBuffer: 1 << 24 })).stdout;
  });
  interface Made {
    kind: string;
    metadata: { name: string; labels?: Record<string, string> };
  }
  const made = (await Promise.all(texts))
    .flatMap((text) => parseAllDocuments(text))
    .flatMap((document) => (document.toJSON() as Made | null) ?? []);
  const short: Record<string, string> = { Deployment: 'deploy', StatefulSet: 'statefulset', CronJob: 'cronjob' };
  return {
    objects: made.map(({ kind, metadata }) => `${short[kind]}/${metadata.name.replace(/^warren\b/, '$FULL')}`),
    components: made.map(({ metadata }) => metadata.labels?.['app.kubernetes.io/component'] ?? ''),
  };
}
