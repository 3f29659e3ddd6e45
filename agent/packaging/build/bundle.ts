import { build } from 'esbuild';
import { join } from 'node:path';
import { collectNotices } from './notices.ts';
import { staging, workspace } from './places.ts';

/** The agent's JavaScript in one file, and the licences of what is in it. */
export interface Bundle {
  code: Uint8Array;
  notices: string;
}

/** Bundles the agent for the oldest runtime that any package carries. */
export async function bundleAgent(): Promise<Bundle> {
  const result = await build({
    entryPoints: [join(workspace, 'agent/src/main.ts')],
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    conditions: ['warren-source'],
    legalComments: 'none',
    // The runtime keeps the text in memory. Names stay, so that a stack trace in a journal can be read.
    minifySyntax: true,
    minifyWhitespace: true,
    metafile: true,
    write: false,
    outfile: join(staging, 'agent.mjs'),
    absWorkingDir: workspace,
    // Some dependencies are CommonJS and ask for Node's own modules by require.
    banner: {
      js: "import { createRequire as _createRequire } from 'node:module'; const require = _createRequire(import.meta.url);",
    },
  });
  const [file] = result.outputFiles;
  if (!file) throw new Error('the bundler made no file');
  const notices = await collectNotices(workspace, Object.keys(result.metafile.inputs), [
    'node_modules/@lydell/node-pty',
    'agent/node_modules/@lydell/node-pty',
  ]);
  return { code: file.contents, notices };
}
