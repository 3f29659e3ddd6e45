import { equals } from '@bufbuild/protobuf';
import { Injectable } from '@nestjs/common';
import { userCaller, type Caller } from '@warren/platform/rpc/caller';
import { UserCallerSchema } from '@warren/proto/common/v1/common';
import { Guesses } from './guesses.ts';
import { requestId, type SignedInRequest } from './signed-in.request.ts';

/** Reads what a route needs, with the rights of `caller`; it changes nothing. */
type Ask = (caller: Caller, params: Record<string, unknown>) => Promise<unknown> | undefined;

/** A question whose answer is good for whoever turns out to be the one that it was asked for. */
interface Asked {
  caller: Caller;
  answer: Promise<unknown>;
}

/**
 * Routes that somebody waits for ask ahead: at the same time as it is found out who asks, with the rights of whom the session belonged to
 * last time. The answer counts only if person, account and role are the same now; it is of this request, never older.
 */
@Injectable()
export class Ahead {
  private readonly asks = new Map<string, Ask>();
  private readonly answers = new WeakMap<Caller, Promise<unknown>>();

  constructor(private readonly guesses: Guesses) {}

  /** @param path a route's pattern; of its requests `ask` gets the parameters as they came, unchecked */
  route(path: string, ask: Ask): void {
    this.asks.set(path, ask);
  }

  begin(path: string, secret: string, request: SignedInRequest): Asked | undefined {
    const ask = this.asks.get(path);
    const guess = ask && this.guesses.of(secret)?.caller;
    if (!guess || guess.kind.case !== 'user') return undefined;
    const caller = userCaller(guess.kind.value, requestId(request));
    const answer = ask(caller, request.params);
    // Whether it is wanted is not known yet; who takes it hears of its failure as well.
    answer?.catch(() => {});
    return answer && { caller, answer };
  }

  /** Lets the route have the answer if `caller` is whom it was asked for. */
  give(caller: Caller, asked: Asked | undefined): void {
    if (asked && same(asked.caller, caller)) this.answers.set(caller, asked.answer);
  }

  /** What was asked ahead for this request; undefined if nothing was. */
  answer(caller: Caller): Promise<unknown> | undefined {
    return this.answers.get(caller);
  }
}

function same(one: Caller, other: Caller): boolean {
  if (one.kind.case !== 'user' || other.kind.case !== 'user') return false;
  return equals(UserCallerSchema, one.kind.value, other.kind.value);
}
