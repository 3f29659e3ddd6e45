import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Schema {
  type?: string | string[];
  pattern?: string;
  minimum?: number;
  maximum?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
}

const FILE = join(import.meta.dirname, '../../../helm/warren/values.schema.json');

/**
 * Finds the schema of a value of the chart.
 * @param path such as `tunnels.maxLinks`; `items` for those of a list
 * @throws Error for an unknown value
 */
export function chartValue(path: string): { minimum: number; maximum: number; accepts(value: unknown): boolean } {
  let at = JSON.parse(readFileSync(FILE, 'utf8')) as Schema;
  for (const step of path.split('.')) {
    const next = step === 'items' ? at.items : at.properties?.[step];
    if (!next) throw new Error(`${path}: expected a value of the chart, ${step} is none`);
    at = next;
  }
  const { type = [], pattern = '', minimum = -Infinity, maximum = Infinity } = at;
  const accepts = (value: unknown) =>
    typeof value === 'number'
      ? [type].flat().includes('integer') && value >= minimum && value <= maximum
      : typeof value === 'string' && [type].flat().includes('string') && new RegExp(pattern, 'u').test(value);
  return { minimum, maximum, accepts };
}
