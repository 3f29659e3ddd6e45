import { Injectable, StandardSchemaValidationPipe, type ArgumentMetadata } from '@nestjs/common';
import { Fault, type FieldProblem } from '@warren/platform/errors/fault';
import '@warren/platform/errors/problem.texts';

/** A problem that a schema found; the shape of Standard Schema 1. */
interface Issue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** The most problems that one answer lists. */
const MAX_PROBLEMS = 20;
const SHOWN = 60;
/** Lists and objects inside one another: more than any input has, and little enough for code that recurses. */
const MAX_DEPTH = 32;
const SECRET = /token|secret|password|proof|key/i;

/** Parses what a route takes by the schema of its decorator (`@Query({schema})`); what does not fit is a 400 that names it. */
@Injectable()
export class SchemaPipe extends StandardSchemaValidationPipe {
  override async transform<T>(value: T, metadata: ArgumentMetadata): Promise<T> {
    const { schema } = metadata;
    if (!schema || !this.toValidate(metadata)) return value;
    requireShallow(value, metadata.data ?? metadata.type);
    this.stripProtoKeys(value);
    const result = await this.validate<T>(value, schema);
    if (!result.issues) return result.value;
    throw invalid(result.issues, value, metadata.data ?? metadata.type);
  }
}

/** @throws Fault `invalid_argument` for a value so deeply nested that reading it could exhaust the stack */
function requireShallow(value: unknown, root: string): void {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) {
      const message = `expected at most ${MAX_DEPTH} levels of lists and objects.`;
      throw new Fault('invalid_argument', `Invalid input: ${root}: ${message}`, {
        problems: [{ field: root, message }],
      });
    }
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
  }
}

/**
 * A Fault `invalid_argument` that names every wrong field, what came and what was expected.
 * @param root what to call the value itself when a problem has no path: the parameter's name
 */
export function invalid(issues: readonly Issue[], value: unknown, root: string): Fault {
  const problems = issues.slice(0, MAX_PROBLEMS).map((issue) => problem(issue, value, root));
  const [first] = problems;
  return new Fault('invalid_argument', `Invalid input: ${first ? `${first.field}: ${first.message}` : root}`, {
    problems,
  });
}

function problem(issue: Issue, value: unknown, root: string): FieldProblem {
  const path = (issue.path ?? []).map((part) => (typeof part === 'object' ? part.key : part));
  const field = path.map(String).join('.') || root;
  const came = path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key], value);
  return { field, message: `${issue.message}; ${SECRET.test(field) ? 'the value is not repeated here' : shown(came)}` };
}

function shown(value: unknown): string {
  if (value === undefined) return 'nothing came';
  const text = JSON.stringify(value) ?? String(value);
  return `came: ${text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text}`;
}
