import { Injectable, StandardSchemaValidationPipe, type ArgumentMetadata } from '@nestjs/common';
import { invalidInput, shownValue, type Fault, type FieldProblem } from '@warren/platform/errors/fault';
import '@warren/platform/errors/problem.texts';

/** A problem that a schema found; the shape of Standard Schema 1. */
interface Issue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** The most problems that one answer lists. */
const MAX_PROBLEMS = 20;
/** Lists and objects inside one another: more than any input has, and little enough for code that recurses. */
const MAX_DEPTH = 32;
/** The URL of a webhook is one as well. */
const SECRET = /token|secret|password|proof|key|^target\b/i;

/** Parses what a route takes by the schema of its decorator (`@Query({schema})`); what does not fit is a 400 that names it. */
@Injectable()
export class SchemaPipe extends StandardSchemaValidationPipe {
  override async transform<T>(value: T, metadata: ArgumentMetadata): Promise<T> {
    const { schema } = metadata;
    if (!schema || !this.toValidate(metadata)) return value;
    requirePlain(value, metadata.data ?? metadata.type);
    this.stripProtoKeys(value);
    const result = await this.validate<T>(value, schema);
    if (!result.issues) return result.value;
    throw invalid(result.issues, value, metadata.data ?? metadata.type);
  }
}

/**
 * @throws Fault `invalid_argument` for a value so deeply nested that reading it could exhaust the stack, and for half a character
 *   (a lone surrogate, which UTF-8 can't say, so it would be stored as another one)
 */
function requirePlain(value: unknown, root: string): void {
  let level: { path: string[]; one: unknown }[] = [{ path: [], one: value }];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH)
      throw invalidInput({ field: root, message: `expected at most ${MAX_DEPTH} levels of lists and objects.` });
    const broken = level.find(({ one }) => typeof one === 'string' && !one.isWellFormed());
    if (broken) {
      const message = 'expected whole characters: no lone surrogates.';
      throw invalid([{ message, path: broken.path }], value, root);
    }
    level = level.flatMap(({ path, one }) =>
      typeof one === 'object' && one !== null
        ? Object.entries(one).map(([key, inner]) => ({ path: [...path, key], one: inner as unknown }))
        : [],
    );
  }
}

/**
 * A Fault `invalid_argument` that names every wrong field, what was expected, and what came as its `value`.
 * @param root what to call the value itself when a problem has no path: the parameter's name
 */
function invalid(issues: readonly Issue[], value: unknown, root: string): Fault {
  const [first, ...others] = issues.slice(0, MAX_PROBLEMS).map((issue) => problem(issue, value, root));
  return invalidInput(first ?? { field: root, message: 'it does not fit.' }, ...others);
}

function problem(issue: Issue, value: unknown, root: string): FieldProblem {
  const path = (issue.path ?? []).map((part) => (typeof part === 'object' ? part.key : part));
  const field = path.map(String).join('.') || root;
  const came = path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key], value);
  const shown = came === undefined || SECRET.test(field) ? {} : { value: shownValue(came) };
  return { field, message: issue.message, ...shown };
}
