import { applyDecorators } from '@nestjs/common';
import { ApiOperation, ApiResponse } from '@nestjs/swagger';
import type { z } from 'zod';
import { errorSchema } from './schemas.ts';

const ERRORS: Record<number, string> = {
  400: 'A value does not fit; `errors` names it.',
  401: 'No session and no API token, or one that is not in force.',
  403: 'Your role or your token may not do this; `recent_sign_in_required`: your account asks for a recent sign-in first.',
  404: 'Not there, or not yours.',
  409: 'It conflicts with what is there.',
  429: 'Too many calls; `Retry-After` says when to try again.',
  503: 'A part of the hub does not answer now; `Retry-After` says when to try again.',
};

interface Description<S extends z.ZodType> {
  summary: string;
  description?: string;
  answer: S;
  /** Defaults to 200. */
  status?: number;
  /** Errors besides 400, 401, 403, 429 and 503. */
  errors?: (keyof typeof ERRORS & number)[];
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
  /** Media type of the response, or each that it may have. */
  type: string | readonly string[];
  /** Errors besides 400, 401, 403, 429 and 503. */
  errors?: (keyof typeof ERRORS & number)[];
}

/** Describes a route whose response is no JSON. */
export function DescribeContent({ summary, description, type, errors = [] }: ContentDescription): MethodDecorator {
  const content = [type].flat().map((one) => [one, { schema: one.startsWith('text/') ? { type: 'string' } : {} }]);
  return applyDecorators(
    ApiOperation(description ? { summary, description } : { summary }),
    ApiResponse({ status: 200, description: summary, content: Object.fromEntries(content) }),
    ...[400, 401, 403, 429, 503, ...errors].sort().map(describeError),
  );
}

function describeError(code: number): MethodDecorator {
  return ApiResponse({ status: code, description: ERRORS[code] ?? '', standardSchema: errorSchema });
}
