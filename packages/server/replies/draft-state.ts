import { endOf, type TextEnd } from '../rules/draft-patch.ts';
import type { OpenText } from '../rendering/messages.ts';
import type { DraftView } from './reply-view.ts';

/** Maximum rate of a reply's patches to a socket: each patch repeats its whole line, however long (CAPS-6). */
const PATCH_BYTES_PER_SECOND = 256 * 1024;
/** How far patches may run ahead of the rate before they wait; small ones never wait. */
const PATCH_BURST_MS = 40;
/** Minimum time between two `draftActivity` events of a reply (CAPS-8). */
const ACTIVITY_MS = 500;

/** A text, and its end as the next patch needs it. */
type PatchedText = OpenText & { readonly end: TextEnd };

/** What is published of one open reply to sockets with the caps `patch` and `focus`, and what they have of it. */
export class DraftState implements DraftView {
  #published: OpenText;
  #patched: PatchedText | null;
  #numbered: (OpenText & { readonly seq: number }) | null;
  #patchDueAt = 0;
  /** The text was replaced since the last patch. */
  #isReplaced = false;
  #isRendering = false;
  /** Parts were taken back since the snapshot that is being rendered was begun. */
  #isTakenBack = false;
  #activityRevision = 0;
  #activityAt = -ACTIVITY_MS;
  #activitySeq = 0;

  constructor(open: OpenText, isResumed: boolean) {
    this.#published = open;
    this.#patched = isResumed ? null : { ...open, end: endOf(open.text) };
    this.#numbered = isResumed ? null : { ...open, seq: 0 };
  }

  get published(): OpenText {
    return this.#published;
  }

  textPublished(open: OpenText, isReplaced: boolean): void {
    this.#published = open;
    this.#isReplaced ||= isReplaced;
  }

  partsPublished(parts: OpenText['parts'], partsRevision: number): void {
    this.#published = { ...this.#published, parts, partsRevision };
  }

  partsTakenBack(parts: OpenText['parts']): void {
    this.#published = { ...this.#published, parts };
    this.#patched = null;
    this.#isTakenBack = true;
  }

  partsNumbered(parts: OpenText['parts'], partsRevision: number): void {
    if (this.#numbered) this.#numbered = { ...this.#numbered, parts, partsRevision };
  }

  // Patches

  /**
   * The text after the newest patch. Null while no socket receives patches: the next socket that does gets the whole
   * text.
   */
  get patched(): PatchedText | null {
    return this.#patched;
  }

  get numbered(): (OpenText & { readonly seq: number }) | null {
    return this.#numbered;
  }

  /** True while a snapshot for sockets with the cap `patch` is being rendered. It contains the parts as they are then. */
  get isRendering(): boolean {
    return this.#isRendering;
  }

  /** No socket receives patches. */
  stopPatches(): void {
    this.#patched = null;
    this.#numbered = null;
  }

  /** What sockets have is outdated: instead of the next patch they get the whole text. */
  endPatches(): void {
    this.#patched = null;
  }

  /** True while no patch may be published: a snapshot is being rendered, or patches have used up their rate. */
  isPatchHeld(now: number): boolean {
    return this.#isRendering || now < this.#patchDueAt - PATCH_BURST_MS;
  }

  /** Whether the text was replaced since the last call. */
  takeReplaced(): boolean {
    const isReplaced = this.#isReplaced;
    this.#isReplaced = false;
    return isReplaced;
  }

  /** The text after the patch, or the snapshot in place of one, that is published next. */
  patchTo(open: OpenText, end: TextEnd): void {
    this.#patched = { ...open, end };
  }

  /** A patch of this size is published, and counts towards the rate. */
  patchPublished(bytes: number, now: number): void {
    this.#patchDueAt = Math.max(this.#patchDueAt, now) + (bytes / PATCH_BYTES_PER_SECOND) * 1_000;
  }

  patchNumbered(open: OpenText, seq: number): void {
    if (this.#patched) this.#numbered = { ...open, seq };
  }

  beginSnapshot(): void {
    this.#isRendering = true;
    this.#isReplaced = false;
    this.#isTakenBack = false;
  }

  /** True if the snapshot that is being rendered has parts that were taken back: no patch removes them. */
  get isTakenBack(): boolean {
    return this.#isTakenBack;
  }

  endSnapshot(isPublished: boolean): void {
    this.#isRendering = false;
    // If storing the end fails, the next patch must compare the texts, because the clients' text may not be a prefix of
    // the new one.
    if (!isPublished) this.#isReplaced = true;
  }

  // Activity

  get activitySeq(): number {
    return this.#activitySeq;
  }

  /** True if the newest published text has no activity yet. */
  get isActivityDue(): boolean {
    return this.#activityRevision !== this.#published.revision;
  }

  isActivityHeld(now: number): boolean {
    return now - this.#activityAt < ACTIVITY_MS;
  }

  beginActivity(now: number): void {
    this.#activityAt = now;
    this.#activityRevision = this.#published.revision;
  }

  /** No socket receives activity of this revision. */
  skipActivity(revision: number): void {
    this.#activityRevision = revision;
  }

  /** False if newer activity has overtaken that of this revision. */
  isNewestActivity(revision: number): boolean {
    return this.#activityRevision === revision;
  }

  activityNumbered(seq: number): void {
    this.#activitySeq = seq;
  }
}
