import type { DescMethod, DescService } from '@bufbuild/protobuf';

/** Methods of a proto service by their names. */
export function methods<S extends DescService>(service: S, ...names: (keyof S['method'])[]): readonly DescMethod[] {
  return names.map((name) => service.method[name as string] as DescMethod);
}
