import { Injectable, StandardSchemaValidationPipe, type ArgumentMetadata } from '@nestjs/common';
import { invalidInput, shownValue, type Fault, type FieldProblem } from '@warren/platform/errors/fault';
import '@warren/platform/errors/problem.texts';

/** A problem that a schema found, as in Standard Schema 1. */
interface Issue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** Maximum problems in a response. */
const MAX_PROBLEMS = 20;
/** Maximum nesting of lists and objects: more than any input has, and safe for recursive code. */
const MAX_DEPTH = 32;
/** The URL of a webhook is one as well. */
const SECRET = /token|secret|password|proof|key|^target\b/i;

/** Parses a route's input by the schema of its decorator (`@Query({schema})`). Responds 400 with the wrong fields. */
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
 * @throws Fault `invalid_argument` for a value that is nested too deeply, and for a lone surrogate, which UTF-8 can't encode
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
 * Builds a Fault `invalid_argument` with every wrong field, what was expected, and its `value`.
 * @param root name for a problem without a path: the parameter's name
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
