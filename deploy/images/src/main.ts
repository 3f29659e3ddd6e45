/**
 * `make images`: images of all services, of what `make build` and `make packages` have made.
 * Options: `--prefix registry.example.com/warren`, `--tag 1.2.3`, `--base IMAGE`, `--processor arm64` (may be given twice), `--push`.
 */
import { parseArgs } from 'node:util';
import { failure } from '@warren/local/failure';
import { terminalProgress } from '@warren/local/progress';
import { makeImages, productVersion } from './make.ts';
import { processors, type Processor } from './targets.ts';

function processorOf(text: string): Processor {
  if (Object.hasOwn(processors, text)) return text as Processor;
  throw new Error(`--processor: ${text} came, expected ${Object.keys(processors).join(' or ')}`);
}

try {
  const { values } = parseArgs({
    options: {
      prefix: { type: 'string', default: 'warren' },
      tag: { type: 'string' },
      base: { type: 'string' },
      processor: { type: 'string', multiple: true },
      push: { type: 'boolean', default: false },
    },
  });
  const { prefix, base, push } = values;
  const wanted = values.processor?.map(processorOf);
  const tag = values.tag ?? (await productVersion());
  await makeImages(
    { prefix, tag, base, push, ...(wanted && { processors: wanted }) },
    terminalProgress(process.stdout),
  );
} catch (error) {
  process.stderr.write(`\n${failure(error)}\n`);
  process.exitCode = 1;
}
