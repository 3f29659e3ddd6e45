import { errorText } from './errors.ts';

/** An error response of the hub that names fields of the request. */
interface Named {
  data?: { errors?: { field: string; message: string }[] };
}

/** Returns what the hub says is wrong with a field of the request; undefined if the error is about something else. */
export function fieldProblem(error: unknown, field: string): string | undefined {
  return (error as Named | undefined)?.data?.errors?.find((problem) => problem.field === field)?.message;
}

/** What a form shows of an error: at the field that it is about, else above all fields. */
export function formProblem(
  error: unknown,
  { field, fallback }: { field: string; fallback: string },
): { atField?: string; above?: string } {
  if (!error) return {};
  const atField = fieldProblem(error, field);
  return atField === undefined ? { above: errorText(error, fallback) } : { atField };
}
