import { hasTooManyValues } from './json-counter.ts';
import { isObject, listIn } from './json-values.ts';
import { decodedPicture } from './picture-answers.ts';

/** An event of a model's reply without the pictures that stood in it. */
export interface SlimEvent {
  /** JSON in which `PICTURE` and a place in `pictures` stand for each of them. */
  data: string;
  pictures: Uint8Array[];
}

/** Maximum pictures of one event. */
const MAX_PICTURES = 4;

export const PICTURE = 'picture:';

const DATA_URL = /^data:image\/[a-z0-9.+-]{1,40};base64,/i;

/** The bytes of a picture in a `data:` address; undefined if it is none. */
export function pictureInAddress(address: string): Uint8Array | undefined {
  const [head] = DATA_URL.exec(address.slice(0, 100)) ?? [];
  return head === undefined ? undefined : decodedPicture(address.slice(head.length));
}

/**
 * The pictures that an event of OpenAI's protocol holds in `images` or `content`, taken out of it: with them it is too large
 * for a thread that others wait for (PICTURE-6). `none` if it is no JSON.
 */
export function withoutPictures(data: string): SlimEvent | 'none' {
  const event = hasTooManyValues(data) ? undefined : parsed(data);
  if (event === undefined) return 'none';
  const pictures: Uint8Array[] = [];
  for (const item of pictureItems(event)) {
    const { image_url: given } = item;
    const address = isObject(given) ? given['url'] : given;
    const bytes = typeof address === 'string' && pictures.length < MAX_PICTURES ? pictureInAddress(address) : undefined;
    item['image_url'] = { url: bytes ? `${PICTURE}${pictures.push(bytes) - 1}` : PICTURE };
  }
  return { data: JSON.stringify(event), pictures };
}

/** What may be a picture in a chunk, or in a whole answer. */
function pictureItems(event: unknown): Record<string, unknown>[] {
  const [choice] = listIn(isObject(event) ? event['choices'] : undefined);
  if (!isObject(choice)) return [];
  return [choice['delta'], choice['message']]
    .filter(isObject)
    .flatMap(({ images, content }) => [...listIn(images), ...listIn(content)])
    .filter((item): item is Record<string, unknown> => isObject(item) && 'image_url' in item);
}

function parsed(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}
