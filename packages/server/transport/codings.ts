import type { FastifyRequest } from 'fastify';

/** How a response can be compressed, the best one first. */
const codings = ['br', 'gzip'] as const;
export type Coding = (typeof codings)[number];

/** The best of the offered codings that the client accepts; undefined for none. */
export function codingFor({ headers }: FastifyRequest, offered: readonly Coding[] = codings): Coding | undefined {
  const accepted = (headers['accept-encoding'] ?? '').toLowerCase().split(',');
  return offered.find((coding) =>
    accepted.some((entry) => {
      const [name = '', ...parameters] = entry.split(';').map((part) => part.trim());
      return name === coding && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
    }),
  );
}
