import type { Lane, Service } from './lane.ts';

/** Whose turn it is: services one after the other, each with so many under way; a service's lanes in their order. */
export class Rota {
  readonly #atOncePerService: number;
  /** Services with something to run and room for it. */
  readonly #services: Service[] = [];

  constructor(atOncePerService: number) {
    this.#atOncePerService = atOncePerService;
  }

  /** The lane's turn comes, if it has something to run and nothing keeps it. */
  add(lane: Lane): void {
    if (lane.isBusy || lane.isReady || lane.pause || lane.jobs.length === 0) return;
    lane.isReady = true;
    lane.service.ready.push(lane);
    this.#list(lane.service);
  }

  /** A lane whose first job is to begin. */
  next(): Lane | undefined {
    for (let service = this.#services.shift(); service; service = this.#services.shift()) {
      service.isListed = false;
      for (let lane = service.ready.shift(); lane; lane = service.ready.shift()) {
        lane.isReady = false;
        if (lane.jobs.length > 0) return lane;
      }
    }
    return undefined;
  }

  began(lane: Lane): void {
    lane.isBusy = true;
    lane.service.running += 1;
    this.#list(lane.service);
  }

  ended(lane: Lane): void {
    lane.isBusy = false;
    lane.service.running -= 1;
    this.#list(lane.service);
  }

  #list(service: Service): void {
    if (service.isListed || service.ready.length === 0 || service.running >= this.#atOncePerService) return;
    service.isListed = true;
    this.#services.push(service);
  }
}
