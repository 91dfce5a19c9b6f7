import type { DeliveryQueue, Service } from './delivery-queue.ts';

/**
 * Chooses the next job: the services in rotation, each with a maximum of running jobs, and a service's queues in order.
 */
export class Rota {
  readonly #atOncePerService: number;
  /** Services with a job ready and a free slot. */
  readonly #services: Service[] = [];

  constructor(atOncePerService: number) {
    this.#atOncePerService = atOncePerService;
  }

  /** Makes a queue ready to run, if it has jobs and neither runs nor pauses. */
  add(queue: DeliveryQueue): void {
    if (queue.isBusy || queue.isReady || queue.pause || queue.jobs.length === 0) return;
    queue.isReady = true;
    queue.service.ready.push(queue);
    this.#list(queue.service);
  }

  /** The queue whose first job is to begin. */
  next(): DeliveryQueue | undefined {
    for (let service = this.#services.shift(); service; service = this.#services.shift()) {
      service.isListed = false;
      for (let queue = service.ready.shift(); queue; queue = service.ready.shift()) {
        queue.isReady = false;
        if (queue.jobs.length > 0) return queue;
      }
    }
    return undefined;
  }

  began(queue: DeliveryQueue): void {
    queue.isBusy = true;
    queue.service.running += 1;
    this.#list(queue.service);
  }

  ended(queue: DeliveryQueue): void {
    queue.isBusy = false;
    queue.service.running -= 1;
    this.#list(queue.service);
  }

  #list(service: Service): void {
    if (service.isListed || service.ready.length === 0 || service.running >= this.#atOncePerService) return;
    service.isListed = true;
    this.#services.push(service);
  }
}
