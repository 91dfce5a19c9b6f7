import { type CapName, type EventDeclaration, type EventKind, receiversOf } from './event.ts';
import { eventDeclarations, type EventName, eventNames } from './events.ts';

export type { CapName } from './event.ts';

/** The ways in which an event is sent. */
function waysOf(name: EventName): Pick<EventKind, 'class' | 'of'>[] {
  const declaration: EventDeclaration = eventDeclarations[name];
  return 'kinds' in declaration ? Object.values(declaration.kinds) : [{ class: declaration.outside }];
}

/** The cap without which no socket receives the event. */
export function capOf(name: EventName): CapName | undefined {
  const [cap, ...others] = new Set(waysOf(name).map((way) => receiversOf(way.class).cap));
  return others.length === 0 ? cap : undefined;
}

const ofExt = eventNames.flatMap((name) =>
  waysOf(name)
    .filter((way) => receiversOf(way.class).cap === 'ext')
    .map(({ class: named, of }) => ({
      text: of === undefined ? `\`${name}\`` : `\`${name}\` ${of}`,
      isOfReplies: receiversOf(named).without.length > 0,
    })),
);
const [whereRepliesGrow, always] = [true, false].map((isOfReplies) =>
  ofExt.flatMap((event) => (event.isOfReplies === isOfReplies ? [event.text] : [])),
);

/**
 * The capabilities that a socket can request with `?caps=a,b`, and what each changes. Without caps a socket receives
 * everything.
 */
export const caps = {
  nodrafts:
    'No streaming replies before their `messageComplete`, and no typing: for clients that act on finished messages only.',
  patch: 'Further changes to a streaming reply arrive as changed lines (`events.messageDraftPatch`), never as deltas.',
  focus: 'Only streaming replies of the timeline set with `wsFocus` carry text; others are `events.draftActivity`.',
  ext: `Also changes to things other than messages: ${always?.join(', ')}, and, where replies are sent as they grow, ${whereRepliesGrow?.join(' and ')}.`,
} as const satisfies Record<CapName, string>;
