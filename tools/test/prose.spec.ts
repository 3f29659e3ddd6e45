import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { checkedFiles, checkTexts } from '../src/prose/prose.ts';
import { ROOT } from './chart.ts';

let root: string;

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'prose-'));
  execFileSync('git', ['init', '-q', root]);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

async function findingsOf(file: string, text: string): Promise<string[]> {
  await mkdir(dirname(join(root, file)), { recursive: true });
  await writeFile(join(root, file), text);
  const findings = checkTexts(root);
  rmSync(join(root, file));
  return findings;
}

describe('the check of texts', () => {
  it.each([
    ['web/src/lib/messages/limits.ts', "\nexport const limits = { more: 'The terminal goes on.' };\n", 2, 'goes on'],
    ['services/gateway/src/sockets.controller.ts', "@Describe({ summary: 'Opens the web pages.' })", 1, 'web pages'],
    ['proto/warren/devices/v1/devices.proto', '// Empty while the device is\n// told of it.\n', 1, 'is // told'],
    ['helm/warren/values.yaml', '# Writes an audit line.\n', 1, 'audit line'],
    ['helm/warren/templates/_pod.tpl', '{{/* One pod with a disk of its own. */}}', 1, 'of its own'],
    ['deploy/compose/compose.yaml', 'services: {} # Held up by Redis.\n', 1, 'Held up'],
    ['agent/packaging/install.sh', "#!/bin/sh\nsay 'The agent’s connection is open.'\n", 2, 'agent’s connection'],
    ['deploy/observability/src/alerts.ts', "const text = 'Whoever is on call ' + link;", 1, 'Whoever'],
    ['web/src/features/Page.tsx', '<p>\n  See the page of the\n  device.\n</p>', 2, 'page of the device'],
    ['rules/src/quotas.ts', "const text =\n  'The tunnel was held ' +\n  'up.';", 2, `held ' + 'up`],
  ])('finds what is planted in %s', async (file, text, line, found) => {
    const planted = `${file}:${line}: Unclear term: “${found}”, use “`;
    expect(await findingsOf(file, text)).toEqual([expect.stringContaining(planted)]);
  });

  it.each([
    ['web/src/lib/messages/limits.ts', "export const limits = { more: 'The terminal keeps running.' };"],
    ['services/devices/src/web.ts', "import { webPage } from './web-page.ts';\nit.findWebPage('audit-line', told);"],
    ['deploy/e2e/support/wire.ts', "// yes(1) goes on and on; stands in for a shell.\nlet got = ['go', 'on'];"],
    ['helm/warren/values.yaml', '# The address is one of its own addresses. Without it there are none.\n'],
    ['web/src/lib/messages.ts', "wormholeText: 'A website running on it is exposed.'"],
  ])('passes %s', async (file, text) => expect(await findingsOf(file, text)).toEqual([]));

  it('leaves Markdown to textlint, which has the same words', async () => {
    const text = 'The session goes\non. It runs `go on`, and _goes on_ is quoted.\n';
    expect(await findingsOf('docs/page.md', text)).toEqual([]);
    const options = ['--format', 'json', '--stdin', '--stdin-filename', 'docs/page.md'];
    const { stdout } = spawnSync(join(ROOT, 'node_modules/.bin/textlint'), options, {
      cwd: ROOT,
      input: text,
      encoding: 'utf8',
      env: { ...process.env, NODE_OPTIONS: '' },
    });
    const [{ messages }] = JSON.parse(stdout) as [{ messages: { line: number; message: string }[] }];
    expect(messages).toMatchObject([{ line: 1, message: expect.stringContaining('use “continue') }]);
  });

  it('reads all kinds of texts of this checkout, and finds nothing', () => {
    expect(checkedFiles(ROOT)).toEqual(
      expect.arrayContaining([
        'web/src/lib/messages/limits.ts',
        'services/gateway/src/sockets/sockets.controller.ts',
        'proto/warren/agent/v1/agent.proto',
        'helm/warren/values.yaml',
        'helm/warren/templates/_pod.tpl',
        'deploy/compose/compose.yaml',
        'agent/packaging/install.sh',
        'helm/warren/files/rules/alerts.yaml',
        'Makefile',
      ]),
    );
    expect(checkTexts(ROOT)).toEqual([]);
  });
});
