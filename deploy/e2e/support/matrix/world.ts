import { test as base } from '@playwright/test';
import { person, type Who } from '../people.ts';
import { Warren } from '../warren.ts';
import { Cast, type Actor } from './cast.ts';
import type { Request } from './hub.ts';
import { inputs } from './inputs.ts';
import type { Input } from './makers.ts';
import { readOperations, type Field, type Operation } from './openapi.ts';
import { Place } from './place.ts';

/** A picture of one pixel. */
const picture =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** One member of each account, who has a picture. */
const pictured = ['operatorMember', 'member', 'otherMember'] as const;

interface SessionUser {
  user: string;
}

/** The hub as a table of operations and people sees it. */
export class World {
  readonly warren: Warren;
  readonly cast: Cast;
  readonly operations: readonly Operation[];
  private readonly ids: ReadonlyMap<string, string>;
  private readonly places = new Map<string, Place>();
  private readonly inputs: ReturnType<typeof inputs>;

  private constructor(warren: Warren, cast: Cast, operations: Operation[], ids: ReadonlyMap<string, string>) {
    this.warren = warren;
    this.cast = cast;
    this.operations = operations;
    this.ids = ids;
    this.inputs = inputs({
      idOf: ({ name }) => this.id(name),
      ownerOf: (place) => this.idIn(place, ['superAdmin', 'owner', 'otherOwner']),
      withPictureIn: (place) => this.idIn(place, pictured),
    });
  }

  static async open(): Promise<World> {
    const warren = await Warren.find();
    const cast = await Cast.assemble(warren);
    const { hub } = cast;
    const document = await hub.must(cast.cookie('superAdmin'), 'GET', '/api/openapi.json');
    const ids = new Map<string, string>();
    for (const { name, cookie } of cast.actors) {
      if (!cookie) continue;
      ids.set(name, (await hub.must<SessionUser>(cookie, 'GET', '/auth/saml/getsession')).user);
    }
    for (const who of pictured) await hub.must(cast.cookie(who), 'PATCH', '/api/profile', { picture });
    return new World(warren, cast, readOperations(document), ids);
  }

  /** Takes back what the tests of other features would see. */
  async close(): Promise<void> {
    const { hub } = this.cast;
    for (const who of pictured) await hub.must(this.cast.cookie(who), 'PATCH', '/api/profile', { picture: '' });
    for (const place of this.places.values()) await place.close();
    await this.removeDevices();
  }

  operation(id: string): Operation {
    const found = this.operations.find((operation) => operation.id === id);
    if (!found) throw new Error(`operation: the hub describes no ${id}`);
    return found;
  }

  place(account: string): Place {
    const known = this.places.get(account) ?? new Place(this.cast.inviting, account, this.warren.account(account));
    this.places.set(account, known);
    return known;
  }

  /** A right input for an operation on an account. */
  async input(id: string, actor: Actor, account: string | Place, variant = ''): Promise<Input> {
    const make = this.inputs[id];
    if (!make) throw new Error(`inputs: there is none for ${id}`);
    return make(typeof account === 'string' ? this.place(account) : account, actor, variant);
  }

  private async removeDevices(): Promise<void> {
    const { hub } = this.cast;
    const cookie = this.cast.cookie('superAdmin');
    type List = { devices: { id: string; serial: string }[] };
    for (;;) {
      const { devices } = await hub.must<List>(cookie, 'GET', '/api/devices?limit=200&search=matrix-');
      const made = devices.filter(({ serial }) => serial.startsWith('matrix-'));
      for (const { id } of made) await hub.must(cookie, 'DELETE', `/tunnel/devices/${id}`);
      if (made.length === 0) return;
    }
  }

  private id(name: string): string {
    return this.ids.get(name) || '00000000-0000-7000-8000-000000000000';
  }

  private idIn(place: Place, people: readonly Who[]): string {
    return this.id(people.find((who) => person(who).account === place.name) ?? '');
  }
}

/** The request of an operation with these values. */
export function requestOf({ method, path, fields, hasBody }: Operation, values: Record<string, unknown>): Request {
  const given = (where: Field['in']) => fields.filter((field) => field.in === where && field.name in values);
  const query = new URLSearchParams(given('query').map(({ name }) => [name, textOf(values[name])]));
  const address = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(textOf(values[name])));
  const body = Object.fromEntries(given('body').map(({ name }) => [name, values[name]]));
  return {
    method,
    path: query.size === 0 ? address : `${address}?${query}`,
    body: hasBody ? JSON.stringify(body) : undefined,
  };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

export const test = base.extend<object, { world: World }>({
  world: [
    // Playwright reads what a fixture needs from its first parameter's pattern.
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const world = await World.open();
      await use(world);
      await world.close();
    },
    { scope: 'worker', timeout: 60_000 },
  ],
});

export { expect } from '@playwright/test';
