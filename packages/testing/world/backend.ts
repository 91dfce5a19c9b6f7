import { Actor } from './actor.ts';
import type { World } from './world.ts';
import { theService } from '@parley/server/calls/unit-queue.ts';
import { newToken } from '@parley/server/secrets/tokens.ts';
import type { Params } from '@parley/protocol';

/** A backend with its key, as the operator makes it. */
export class Backend {
  readonly #world: World;
  readonly name: string;
  readonly key: string;
  readonly #api: Actor['api'];

  private constructor(world: World, name: string, key: string) {
    this.#world = world;
    this.name = name;
    this.key = key;
    this.#api = new Actor(world, '', '').api;
  }

  static async make(world: World, owner: string, name = 'shop'): Promise<Backend> {
    const { token, hash } = newToken('bk_');
    const keyHash = Buffer.from(hash).toString('hex');
    await world.service.units.run('setBackendKey', theService, { name, owner, keyHash }, 0);
    return new Backend(world, name, token);
  }

  createToken(externalId: string, more: Partial<Params<'createUserToken'>> = {}) {
    return this.#api.createUserToken({
      backend_key: this.key,
      external_id: externalId,
      display_name: externalId,
      ...more,
    });
  }

  /** A user with a new token. */
  async user(externalId: string, more: Partial<Params<'createUserToken'>> = {}): Promise<Actor> {
    const { token, account } = await this.createToken(externalId, more);
    return new Actor(this.#world, account.username, token);
  }

  deleteUser(externalId: string) {
    return this.#api.deleteUser({ backend_key: this.key, external_id: externalId });
  }
}
