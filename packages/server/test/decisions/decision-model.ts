// What the rules of decisions say, as a model without a service: who sees a decision, who may decide it and take it back,
// and what a call must be answered (DECIDE-4 … DECIDE-11).

/** By name: `bot` is an agent of ann. Ann owns the group; her direct chat with ben is the other place. */
export type Name = 'ann' | 'ben' | 'cleo' | 'dora' | 'bot';
export const people = ['ann', 'ben', 'cleo', 'dora'] as const;
export type Place = 'group' | 'direct';
export type Deciders = 'anyone' | 'admins' | readonly Name[];

export interface ModelDecision {
  /** Of the message, in the service. */
  id: string;
  place: Place;
  asker: Name;
  deciders: Deciders;
  isPrivate: boolean;
  expiresAt: number | undefined;
  state: 'open' | 'decided' | 'expired' | 'withdrawn';
  by?: Name;
  option?: string;
  isDeleted: boolean;
  hiddenBy: Set<Name>;
}

/** The service notes within this time that a decision has expired (DECIDE-8). */
const NOTED_MS = 2_500;

export class DecisionModel {
  now: number;
  readonly roles = new Map<Name, 'owner' | 'admin' | 'member'>([
    ['ann', 'owner'],
    ['ben', 'member'],
    ['cleo', 'member'],
    ['bot', 'member'],
  ]);
  /** Ben has blocked ann. */
  isBlocked = false;
  /** In the order in which they were asked. */
  readonly decisions: ModelDecision[] = [];

  constructor(now: number) {
    this.now = now;
  }

  takesPart(name: Name, place: Place): boolean {
    return place === 'group' ? this.roles.has(name) : name === 'ann' || name === 'ben';
  }

  sees(name: Name, { place, isDeleted, isPrivate, hiddenBy, asker, deciders }: ModelDecision): boolean {
    if (isDeleted || hiddenBy.has(name) || !this.takesPart(name, place)) return false;
    return !isPrivate || asker === name || deciders.includes(name);
  }

  /** Whether it is one of the deciders at this moment. */
  isDecider(name: Name, { place, deciders }: ModelDecision): boolean {
    if (name === 'bot' || !this.takesPart(name, place)) return false;
    if (deciders === 'anyone') return true;
    return deciders === 'admins' ? this.roles.get(name) !== 'member' : deciders.includes(name);
  }

  isOpen({ state, expiresAt }: ModelDecision): boolean {
    return state === 'open' && (expiresAt === undefined || expiresAt > this.now);
  }

  /** The status of an answer; 'wins' if the call ends the decision. */
  toDecide(name: Name, one: ModelDecision, option: string): 'wins' | 200 | 403 | 404 | 409 {
    if (name === 'bot') return 403;
    if (!this.sees(name, one)) return 404;
    if (one.state === 'decided' && one.by === name && one.option === option) return 200;
    if (!this.isDecider(name, one)) return 403;
    if (!this.isOpen(one)) return 409;
    return one.place === 'direct' && this.isBlocked ? 403 : 'wins';
  }

  toWithdraw(name: Name, one: ModelDecision): 'ends' | 403 | 404 | 409 {
    const isOwn = one.asker === name || (one.asker === 'bot' && name === 'ann' && !one.isPrivate);
    if (one.isDeleted) return 404;
    if (!isOwn) {
      if (!this.sees(name, one)) return 404;
      if (one.place === 'direct' || this.roles.get(name) === 'member') return 403;
    }
    return this.isOpen(one) ? 'ends' : 409;
  }

  pass(ms: number): void {
    this.now += ms;
  }

  /** The service has noted what has expired. */
  noteExpired(): void {
    for (const one of this.decisions) if (one.state === 'open' && !this.isOpen(one)) one.state = 'expired';
  }

  /** Whether it is not known if the service has noted an expiry yet. */
  get isUnsettled(): boolean {
    return this.decisions.some(
      (one) => one.state === 'open' && !this.isOpen(one) && this.now - (one.expiresAt ?? 0) < NOTED_MS,
    );
  }

  /** Ids of the open decisions that need a person, newest first; `place`: only there. */
  needs(name: Name, place?: Place): string[] {
    return this.#ids(
      (one) =>
        one.state === 'open' &&
        (place === undefined || one.place === place) &&
        this.isDecider(name, one) &&
        this.sees(name, one),
    );
  }

  /** Of those the ones in its inbox: none of somebody whom the person has blocked. */
  inbox(name: Name): string[] {
    const isHushed = name === 'ben' && this.isBlocked;
    const ofAnn = new Set(this.#ids(({ asker }) => asker === 'ann' || asker === 'bot'));
    return this.needs(name).filter((id) => !isHushed || !ofAnn.has(id));
  }

  /** What getDecisions lists (DECIDE-13). */
  listed(name: Name): string[] {
    return this.#ids((one) => this.sees(name, one) && (one.asker === name || this.isDecider(name, one)));
  }

  #ids(isMeant: (one: ModelDecision) => boolean): string[] {
    return this.decisions
      .filter((one) => isMeant(one))
      .map(({ id }) => id)
      .toReversed();
  }
}
