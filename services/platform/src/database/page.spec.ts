import { describe, expect, it } from '@jest/globals';
import { create } from '@bufbuild/protobuf';
import { PageRequestSchema, SortOrder } from '@warren/proto/common/v1/common';
import { pageOf } from './page.ts';

const request = (init: { page?: number; limit?: number; search?: string; order?: SortOrder }) =>
  create(PageRequestSchema, init);

describe('pageOf', () => {
  it('starts at the first page with the default limit', () => {
    expect(pageOf(undefined, 20)).toEqual({ limit: 20, offset: 0, pattern: undefined, descending: false });
  });

  it('counts rows before the page and caps the limit', () => {
    expect(pageOf(request({ page: 3, limit: 500 }))).toMatchObject({ limit: 200, offset: 400 });
  });

  it('ignores a search below two characters, spaces around it not counted', () => {
    expect(pageOf(request({ search: ' a ' })).pattern).toBeUndefined();
    expect(pageOf(request({ search: ' aB ' })).pattern).toBe('%ab%');
  });

  it("takes LIKE's signs literally", () => {
    expect(pageOf(request({ search: '50%_\\' })).pattern).toBe('%50\\%\\_\\\\%');
  });

  it('names what is too large', () => {
    expect(() => pageOf(request({ search: 'x'.repeat(201) }))).toThrow(/^201/);
    expect(() => pageOf(request({ page: 4_000_000_000 }))).toThrow(/^4000000000/);
  });

  it('reads the order', () => {
    expect(pageOf(request({ order: SortOrder.DESC })).descending).toBe(true);
  });
});
