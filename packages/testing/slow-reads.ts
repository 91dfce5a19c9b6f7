import type { Awaitable, Sql } from '@parley/server/store/sql.ts';
import { turnOfLoop } from './turn-of-loop.ts';

/** As a store on another machine answers: some turns of the loop later, read at any moment in between. */
export function slowReads(read: Sql): Sql {
  let asked = 0;
  const late = async <Value>(ask: () => Awaitable<Value>): Promise<Value> => {
    asked += 1;
    const before = asked % 2;
    for (let turn = 0; turn < before; turn += 1) await turnOfLoop();
    const value = await ask();
    for (let turn = before; turn < 2; turn += 1) await turnOfLoop();
    return value;
  };
  return {
    get: (statement, ...params) => late(() => read.get(statement, ...params)),
    all: (statement, ...params) => late(() => read.all(statement, ...params)),
    list: (statement, values, ...params) => late(() => read.list(statement, values, ...params)),
    gather: (statement, keys) => late(() => read.gather(statement, keys)),
    run: (statement, ...params) => late(() => read.run(statement, ...params)),
    accountJson: new Forgetful(),
  };
}

/** Who hears of a change behind what was read before it must keep nothing. */
class Forgetful<Key, Value> extends Map<Key, Value> {
  override set(): this {
    return this;
  }
}
