import { applyDecorators } from '@nestjs/common';
import { ApiOperation, ApiResponse } from '@nestjs/swagger';
import type { z } from 'zod';
import { API_ERRORS } from './api.errors.ts';
import { errorSchema } from './schemas.ts';

interface Description<S extends z.ZodType> {
  summary: string;
  description?: string;
  answer: S;
  /** Defaults to 200. */
  status?: number;
  /** Errors besides 400, 401, 403, 429 and 503. */
  errors?: number[];
  /** True for routes that need no session. */
  anybody?: boolean;
}

/** Describes a JSON route for OpenAPI: its purpose, its response, its errors. */
export function Describe<S extends z.ZodType>(what: Description<S>): MethodDecorator {
  const { summary, description, answer, status = 200, errors = [], anybody = false } = what;
  const usual = [...new Set([400, ...(anybody ? [] : [401, 403]), 429, 503, ...errors])].sort();
  const { description: text = summary } = answer.meta() ?? {};
  return applyDecorators(
    ApiOperation(description ? { summary, description } : { summary }),
    ApiResponse({ status, description: text, standardSchema: answer }),
    ...usual.map(describeError),
  );
}

interface ContentDescription {
  summary: string;
  description?: string;
  /** Examples of text by the media types that the response may have; null for content that is no text. */
  content: Readonly<Record<string, string | null>>;
  /** Errors besides 400, 401, 403, 429 and 503. */
  errors?: number[];
}

/** Describes a route whose response is no JSON. */
export function DescribeContent({
  summary,
  description,
  content: examples,
  errors = [],
}: ContentDescription): MethodDecorator {
  const content = Object.entries(examples).map(([type, example]) => [
    type,
    example === null ? { schema: {} } : { schema: { type: 'string' }, example },
  ]);
  return applyDecorators(
    ApiOperation(description ? { summary, description } : { summary }),
    ApiResponse({ status: 200, description: summary, content: Object.fromEntries(content) }),
    ...[400, 401, 403, 429, 503, ...errors].sort().map(describeError),
  );
}

function describeError(status: number): MethodDecorator {
  const { description, example } = API_ERRORS[status] ?? {};
  return ApiResponse({ status, description: description ?? '', standardSchema: errorSchema, example });
}
