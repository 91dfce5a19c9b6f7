// The functions that take texts of strangers, and the worst of texts.
import * as markdown from '@parley/markdown';
import { firstBytes } from '@parley/protocol';
import { asianEncodingOf } from '../../../office/asian-encodings.ts';
import { blocksOfHtml } from '../../../office/html-text.ts';
import { officeKind } from '../../../office/kinds.ts';
import { cutCell } from '../../../office/limits.ts';
import { sectionsOf } from '../../../office/number-code.ts';
import { formatNumber, formatOf, formatText, numberFormat } from '../../../office/number-format.ts';
import { cleanText, decodedText, textEncodingOf } from '../../../office/plain-text.ts';
import { Room } from '../../../office/room.ts';
import { westernEncodingOf } from '../../../office/western-text.ts';
import { hasWesternWords } from '../../../office/western-words.ts';
import { unescaped } from '../../../office/workbook-parts.ts';
import { errorInStream, cleanQuote, parseRetryAfter } from '../../agents/providers/vendor-errors.ts';
import { endOfReason, reasonIn } from '../../agents/providers/end-reasons.ts';
import { errorIn, readError } from '../../agents/providers/error-bodies.ts';
import { parsedJson } from '../../agents/providers/parsed-json.ts';
import { ProviderError } from '../../agents/providers/provider.ts';
import { nextWithout } from '../../agents/providers/refused-extras.ts';
import { ServerEvents } from '../../agents/providers/sse-events.ts';
import { fileType } from '../../files/content-types.ts';
import { textOfPieces } from '../../files/pdf-lines.ts';
import { isTextStart } from '../../files/text-start.ts';
import { backendUsername } from '../../rules/backend-usernames.ts';
import { sampleOf, titleOfAnswer, titleOfQuestion, titlePrompt } from '../../rules/chat-titles.ts';
import { actText, answerToAction, offeredActions, shownFields, spokenName } from '../../rules/component-actions.ts';
import { parleySkeleton } from '../../rules/confusable-letters.ts';
import { beginningOf, tokensOfDocument, tokensOfText } from '../../rules/context-files.ts';
import { fenced, indented, quotedFile, transcriptNote, withoutForgedNotes } from '../../rules/context-notes.ts';
import { entriesToContinue } from '../../rules/continued-replies.ts';
import { cut } from '../../rules/conversation-context.ts';
import { checkedFields, decisionText, keptIn } from '../../rules/decisions.ts';
import { applyPatch, appendPatch, endOf, replacePatch } from '../../rules/draft-patch.ts';
import { field, isBlank, problemOf } from '../../rules/field-values.ts';
import { disposition, oneLine, safeName } from '../../rules/file-names.ts';
import { fileSnippetOf } from '../../rules/file-snippet.ts';
import { fileTermsOf } from '../../rules/file-terms.ts';
import { firstLink } from '../../rules/first-link.ts';
import { mediaKindsOf } from '../../rules/media-kinds.ts';
import { findMentions, namesIn } from '../../rules/mentions.ts';
import { isKeptName, isNameForAll } from '../../rules/names-for-all.ts';
import { libraryTextOfFile, libraryTextOfPage } from '../../rules/library-text.ts';
import { sectionsOfPage } from '../../rules/page-sections.ts';
import { termsOfQuestion, wordsIndex } from '../../rules/passage-index.ts';
import { headingOf, pagesIn, passagesOf, sectionsIn, setHeading } from '../../rules/passages.ts';
import { decoderOf, readPage } from '../../rules/page-text.ts';
import { plainText } from '../../rules/plain-text.ts';
import { cutTo } from '../../rules/reply-parts.ts';
import { canonicalArguments, losesNumbers } from '../../rules/call-arguments.ts';
import { resultOfCall } from '../../rules/call-results.ts';
import { isView, modelNames } from '../../rules/tool-names.ts';
import { inQuotes } from '../../rules/words-of-servers.ts';
import { cutToBytes, textOfResult } from '../../rules/tool-results.ts';
import { isReservedName } from '../../rules/reserved-names.ts';
import { isZone, readTimes } from '../../rules/schedule-times.ts';
import { isSvgStart } from '../../files/svg-start.ts';
import { isNear, nearWords } from '../../rules/near-words.ts';
import { parseQuery } from '../../rules/search-query.ts';
import { snippetAround, snippetOf, takeHits } from '../../rules/search-snippet.ts';
import { decomposed, foldedText, foldedWords, isUnspaced, wordEndFrom, wordsOf } from '../../rules/search-words.ts';
import { isSlackMessage, slackText } from '../../rules/slack-message.ts';
import { emojiNamed, emojiOf, isEmojiName, withEmoji } from '../../rules/emoji-codes.ts';
import { ofStandardMarkdown } from '../../rules/slack-markdown.ts';
import { blocksText } from '../../rules/slack-blocks.ts';
import { bold, heading, lines, paragraphs, words } from '../../rules/slack-fields.ts';
import { inlineText, richTextBlock } from '../../rules/slack-rich-text.ts';
import {
  decoded,
  encoded,
  escaped,
  isAddress,
  labelOf,
  lineOf,
  link,
  markdownOf,
  named,
  plain,
} from '../../rules/slack-mrkdwn.ts';
import { summaryRequest, summaryText } from '../../rules/summaries.ts';
import { isShort, readingOf } from '../../rules/text-reading.ts';
import { cleanTranscript, soundName, tokensOfSound, transcriptionModelOf } from '../../rules/transcripts.ts';
import { weaknessOf } from '../../rules/weak-password.ts';
import { failureOf } from '../../rules/webhook-failures.ts';
import { usernamesFor } from '../../rules/names-of-claims.ts';
import { altOf, imageModelOf } from '../../rules/pictures.ts';
import { hasTooManyValues } from '../../rules/json-counter.ts';
import { isLoopbackName } from '../../rules/loopback.ts';
import { decodedPicture, readPictureAnswer } from '../../rules/picture-answers.ts';
import { pictureInAddress, withoutPictures } from '../../rules/picture-events.ts';
import { isOurs, isServedHost } from '../../rules/served-hosts.ts';

const served = { publicUrl: null, allowedOrigins: ['https://app.example'], devTokenHosts: ['box'] };

/** What is repeated; the test puts one other character at the end, at which an expression may fail. */
export const pieces = [
  'a',
  'é',
  '0',
  ' ',
  '\n',
  '\t',
  '\r',
  '\u2028',
  '\ufffd',
  '.',
  '-',
  '_',
  '*',
  '~',
  '=',
  '%',
  '/',
  '\\',
  '@',
  '$',
  '|',
  '[',
  ']',
  '(',
  '<',
  '{',
  '`',
  '#',
  ':',
  '&',
  "'",
  '"',
  '🙂',
  '\ud800',
  '\u0301\u0323',
  'ก็',
  '人',

  '<b>',
  '</i>',
  '<b></i>',
  '<!--',
  '<a b="',
  '&amp;',
  '{% ',
  '{% card a="',
  '![](',
  '[[',
  '[a](b',
  '[a](x (',
  '[a](x "',
  '*_',
  '**a',
  '`a``b',

  '```\n',
  '~~~\n',
  '- a\n',
  '> ',
  '|a|b|\n',
  '[^1]',
  'a@',
  'a@b.c ',
  'https://a.b ',
  'www.a',
  '/../',
  '..\\',
  '1. a\n',
  'A1;',
  ';charset=',
  ' \n',
  '\n\t',
  'data: ',
  'sk-',
  '<http://a|',
  'a_b',
  '$$a',
  '"a"',
  '[h',
  '\\n',
];

export const textOf = (piece: string) => (size: number) => `${piece.repeat(Math.ceil(size / piece.length))}\u0001x)`;

/** Names, ids and passwords have at most 1,024 bytes. */
const nameIn = (text: string): string => text.slice(0, 1_024);

const query = parseQuery('never "no match" 無い');
const near = nearWords('never') ?? { term: 'never', head: '', starts: new Set<string>(), whole: new Set<string>() };
const all = (values: Iterable<unknown>): number => {
  let count = 0;
  for (const _ of values) count += 1;
  return count;
};

/** The functions by their files; each takes a text of a stranger. */
export const readers: Record<string, Record<string, (text: string) => unknown>> = {
  'protocol/byte-length': { firstBytes: (text) => firstBytes(text, text.length - 1) },
  'markdown/index': {
    blocksOf: (text) => all(markdown.blocksOf(text)),
    fileAddress: markdown.fileAddress,
    formulasIn: markdown.formulasIn,
    hostOf: markdown.hostOf,
    imageAddress: markdown.imageAddress,
    isMisleading: (text) => markdown.isMisleading(text, 'https://a.example'),
    isNameBeginning: markdown.isNameBeginning,
    isOwnFile: markdown.isOwnFile,
    linkAddress: markdown.linkAddress,
    codeIn: markdown.codeIn,
    liveBlocks: (text) => markdown.liveBlocks(text, 0),
    mentionAt: (text) => markdown.mentionAt(text, 0),
    mentionedIn: markdown.mentionedIn,
    nodesIn: (text) => all(markdown.nodesIn(markdown.parseMarkdown(text))),
    normalForm: (text) => [markdown.normalForm(text, 'NFC'), markdown.normalForm(text, 'NFKD')],
    normalized: markdown.normalized,
    parseMarkdown: (text) => markdown.parseMarkdown(text),
    placedBlocks: (text) => markdown.placedBlocks(text, 0, { isLive: true }),
    readFormula: markdown.readFormula,
    tagEnds: (text) => markdown.tagEnds(text, 0, text.length),
    tagsOf: (text) => all(markdown.tagsOf(text)),
    textOfBlocks: (text) => markdown.textOfBlocks(markdown.parseMarkdown(text)),
  },
  'office/asian-encodings': { asianEncodingOf: (text) => asianEncodingOf(Buffer.from(text)) },
  'office/html-text': { blocksOfHtml: (text) => blocksOfHtml(Buffer.from(text), new Room(text.length)) },
  'office/number-code': { sectionsOf },
  'office/number-format': {
    formatOf,
    formatText: (text) => formatText(text, formatOf('@" a"')),
    numberFormat: (text) => formatNumber(1.5, numberFormat('200', new Map([['200', text]])), false),
  },
  'office/limits': { cutCell: (text) => cutCell(text, () => {}) },
  'office/kinds': { officeKind: (text) => officeKind(text, text) },
  'office/plain-text': {
    decodedText: (text) => decodedText(Buffer.from(text)),
    cleanText,
    textEncodingOf: (text) => [
      textEncodingOf(Buffer.from(text, 'latin1')),
      textEncodingOf(Buffer.from(text, 'utf16le')),
    ],
  },
  'office/western-text': { westernEncodingOf: (text) => westernEncodingOf(Buffer.from(text, 'latin1')) },
  'office/western-words': { hasWesternWords: (text) => hasWesternWords(text, text.length) },
  'office/workbook-parts': { unescaped },
  'server/agents/providers/vendor-errors': {
    cleanQuote: (text) => cleanQuote(text, 'sk-key'),
    errorInStream: (text) => errorInStream({ error: { message: text } }, 'sk-key'),
    parseRetryAfter: (text) => parseRetryAfter(text, 0),
  },
  'server/agents/providers/parsed-json': { parsedJson },
  'server/agents/providers/end-reasons': {
    reasonIn,
    endOfReason: (text) => endOfReason(reasonIn(text) ?? ''),
  },
  'server/agents/providers/error-bodies': {
    readError: (text) => readError({ errors: [{ detail: [{ loc: [text], msg: text }] }, text] }),
    errorIn: (text) => errorIn({ type: text, message: text }, ''),
  },
  'server/agents/providers/refused-extras': {
    nextWithout: (text) => nextWithout(new ProviderError('bad_request', text.slice(0, 1_000)), []),
  },
  'server/agents/providers/sse-events': {
    ServerEvents: (text) => {
      const parser = new ServerEvents(1_048_576);
      return [...Array.from(text.matchAll(/[^]{1,4096}/gu), ([piece]) => parser.feed(`data:${piece}`)), parser.end()];
    },
  },
  'server/files/content-types': { fileType },
  'server/files/pdf-lines': {
    textOfPieces: (text) => textOfPieces([{ str: text, transform: [], width: 0, height: 0, dir: 'ltr', hasEOL: true }]),
  },
  'server/files/text-start': { isTextStart: (text) => isTextStart(Buffer.from(text)) },
  'server/rules/backend-usernames': { backendUsername: (text) => backendUsername(nameIn(text)) },
  'server/rules/chat-titles': {
    sampleOf,
    titleOfAnswer,
    titleOfQuestion,
    titlePrompt: (text) => titlePrompt(text, text),
  },
  'server/rules/component-actions': {
    actText: (text) => actText({ action: text, by: 'a', fields: { a: text } } as never),
    answerToAction: (text) => answerToAction({ action: text, by: { username: 'a', displayName: text } }),
    offeredActions: (text) => all(offeredActions(text)),
    shownFields: (text) => shownFields({ a: text, [text]: 'b' }),
    spokenName,
  },
  'server/rules/confusable-letters': { parleySkeleton: (text) => parleySkeleton(nameIn(text)) },
  'server/rules/context-files': {
    beginningOf: (text) => beginningOf(text, { bytes: text.length - 1, tokens: 100_000 }),
    tokensOfDocument: (text) => tokensOfDocument(1, text),
    tokensOfText,
  },
  'server/rules/context-notes': {
    fenced,
    indented,
    quotedFile: (text) => quotedFile({ kind: 'file' }, text),
    transcriptNote: (text) => transcriptNote({ kind: 'file' }, text),
    withoutForgedNotes,
  },
  'server/rules/continued-replies': { entriesToContinue },
  'server/rules/conversation-context': { cut: (text) => cut(text, text.length - 1) },
  'server/rules/draft-patch': {
    appendPatch: (text) => appendPatch(endOf(text), text),
    applyPatch: (text) => applyPatch(text, [{ at: 0, del: 1, ins: ['a'] }]),
    endOf,
    replacePatch: (text) => replacePatch(text, `${text}a`),
  },
  'server/rules/decisions': {
    checkedFields: (text) => checkedFields([field('a', 'a', 'text')], 'yes', { a: text, [text]: text }),
    decisionText: (text) => decisionText(text, { options: [{ id: 'a', label: text }] }),
    keptIn: (text) => keptIn(JSON.stringify({ options: [{ id: 'a', label: text }] })),
  },
  'server/rules/field-values': {
    isBlank,
    problemOf: (text) => [problemOf(field('a', 'a', 'text'), text), problemOf(field('a', 'a', 'number'), text)],
  },
  'server/files/svg-start': { isSvgStart: (text) => isSvgStart(`<!--${text}`) },
  'server/rules/names-of-claims': {
    usernamesFor: (text) => [...usernamesFor({ preferred: text, email: text }, () => 0)],
  },
  'server/rules/json-counter': { hasTooManyValues },
  'server/rules/loopback': { isLoopbackName },
  'server/rules/picture-answers': {
    decodedPicture,
    readPictureAnswer: (text) =>
      readPictureAnswer(Buffer.from(JSON.stringify({ data: [{ b64_json: text, revised_prompt: text }] }))),
  },
  'server/rules/picture-events': {
    pictureInAddress: (text) => pictureInAddress(`data:image/png;base64,${text}`),
    withoutPictures: (text) => withoutPictures(JSON.stringify({ choices: [{ delta: { content: text } }] })),
  },
  'server/rules/served-hosts': {
    isOurs: (text) => isOurs(served, `https://${text}`, ['/']),
    isServedHost: (text) => isServedHost(served, text),
  },
  'server/rules/pictures': { altOf, imageModelOf: (text) => imageModelOf([{ id: text }]) },
  'server/rules/near-words': {
    isNear: (text) => isNear(text, near),
    nearWords: (text) => nearWords(text.replaceAll(/\p{N}/gu, 'x')),
  },
  'server/rules/file-names': { disposition: (text) => disposition('inline', safeName(text)), oneLine, safeName },
  'server/rules/file-snippet': { fileSnippetOf: (text) => fileSnippetOf({ name: 'never', text }, query) },
  'server/rules/file-terms': { fileTermsOf: (text) => all(fileTermsOf(wordsOf(text))) },
  'server/rules/first-link': { firstLink: (text) => firstLink(`${text} www.`) },
  'server/rules/media-kinds': { mediaKindsOf: (text) => mediaKindsOf(`${text} www.`, []) },
  'server/rules/mentions': { findMentions: (text) => findMentions(`${text} @bob`, ['bob']), namesIn },
  'server/rules/names-for-all': { isKeptName, isNameForAll },
  'server/rules/library-text': {
    libraryTextOfFile: (text) => libraryTextOfFile({ text, isPaged: false, hasHeadings: true }),
    libraryTextOfPage: (text) => libraryTextOfPage({ contentType: 'text/html', bytes: Buffer.from(text) }),
  },
  'server/rules/page-sections': { sectionsOfPage: (text) => sectionsOfPage(text, text.length) },
  'server/rules/passage-index': {
    termsOfQuestion,
    wordsIndex: (text) => wordsIndex(passagesOf([{ text }])),
  },
  'server/rules/passages': {
    headingOf: (text) => headingOf([text, text]),
    pagesIn,
    sectionsIn: (text) => all(sectionsIn(text)),
    setHeading: (text) => setHeading([], 1, text),
  },
  'server/rules/page-text': {
    decoderOf: (text) => decoderOf(text, Buffer.from(text)),
    readPage: (text) => readPage({ url: 'https://a.example', contentType: 'text/html', bytes: Buffer.from(text) }),
  },
  'server/rules/plain-text': { plainText: (text) => plainText(text, text.length) },
  'server/rules/reply-parts': { cutTo: (text) => cutTo(text, text.length - 1) },
  'server/rules/reserved-names': { isReservedName: (text) => isReservedName(nameIn(text)) },
  'server/rules/schedule-times': {
    isZone,
    readTimes: (text) => [readTimes({ at: text }), readTimes({ every: 'day', at: text, zone: 'UTC' })],
  },
  'server/rules/search-query': { parseQuery },
  'server/rules/search-snippet': {
    snippetAround: (text) => snippetAround(text, [{ start: text.length / 2, end: text.length / 2 + 1 }]),
    snippetOf: (text) => snippetOf(text, query),
    takeHits: (text) => takeHits(text, query, new Set(query), { count: 0 }),
  },
  'server/rules/search-words': {
    decomposed,
    foldedText,
    foldedWords,
    isUnspaced,
    wordEndFrom: (text) => wordEndFrom(text, 1),
    wordsOf: (text) => all(wordsOf(text)),
  },
  'server/rules/call-arguments': {
    canonicalArguments: (text) => [canonicalArguments(text), canonicalArguments(JSON.stringify({ text }))],
    losesNumbers: (text) => losesNumbers(JSON.stringify({ text })),
  },
  'server/rules/call-results': { resultOfCall: (text) => resultOfCall('failed', text) },
  'server/rules/tool-names': {
    isView: (text) => isView({ server: text, tool: text, arguments: text }),
    modelNames: (text) => modelNames([{ server: 'bank', tool: text }], []),
  },
  'server/rules/tool-results': {
    cutToBytes: (text) => cutToBytes(text, 65_536),
    textOfResult: (text) => textOfResult([{ type: 'text', text }], undefined),
  },
  'server/rules/words-of-servers': { inQuotes: (text) => inQuotes(text) },
  'server/rules/slack-message': {
    isSlackMessage: (text) => isSlackMessage({ text }),
    slackText: (text) => slackText({ text, blocks: [{ type: 'section', text: { type: 'mrkdwn', text } }] }),
  },
  'server/rules/emoji-codes': { emojiNamed, emojiOf, isEmojiName, withEmoji },
  'server/rules/slack-markdown': { ofStandardMarkdown },
  'server/rules/slack-blocks': {
    blocksText: (text) =>
      blocksText([
        { type: 'markdown', text },
        { type: 'table', rows: [[{ type: 'raw_text', text }]] },
      ]),
  },
  'server/rules/slack-rich-text': {
    inlineText: (text) => inlineText([{ type: 'text', text, style: { bold: true, code: true } }]),
    richTextBlock: (text) =>
      richTextBlock(
        ['rich_text_section', 'rich_text_quote', 'rich_text_preformatted'].map((type) => ({
          type,
          elements: [{ type: 'text', text, style: { italic: true } }],
        })),
      ),
  },
  'server/rules/slack-fields': {
    bold,
    heading,
    lines: (text) => lines([text, text]),
    paragraphs: (text) => paragraphs([text, text]),
    words: (text) => words([text, text]),
  },
  'server/rules/slack-mrkdwn': {
    decoded,
    encoded,
    escaped,
    isAddress,
    labelOf,
    lineOf,
    link: (text) => link(text, `https://${text}`),
    markdownOf,
    named,
    plain,
  },
  'server/rules/summaries': { summaryRequest: (text) => summaryRequest('a', { text }, text), summaryText },
  'server/rules/text-reading': { isShort, readingOf: (text) => readingOf(`${text} @bob www. {%`) },
  'server/rules/transcripts': {
    cleanTranscript,
    soundName,
    tokensOfSound: (text) => tokensOfSound(1, text),
    transcriptionModelOf: (text) => transcriptionModelOf([{ id: text }]),
  },
  'server/rules/weak-password': { weaknessOf: (text) => weaknessOf(nameIn(text), 'ann') },
  'server/rules/webhook-failures': { failureOf },
};

/** Functions that the inspecting process runs, and those with a text that is short or that no stranger writes. */
export const others: Record<string, readonly string[]> = {
  'office/own-picture': ['ownPicture'],
  'server/files/pdf-drawing': ['drawPdf'],
  'markdown/index': ['actionIn', 'CodeSpans', 'isSpacedLetter', 'textOfInlines', 'usualAddresses'],
  'office/chart': ['readChart'],
  'office/comment-authors': ['authorsOf'],
  'office/compound-file': ['isCompoundFile', 'streamsOf'],
  'office/default-password': ['openedByDefault'],
  'office/drawing': ['shownShapes'],
  'office/number-labels': ['numberLabel'],
  'office/objects': ['referenceIn', 'referencesIn'],
  'office/open-spans': ['repeated'],
  'office/open-styles': ['stylesOf'],
  'office/presentation': ['readPresentation'],
  'office/read': ['readOffice'],
  'office/relations': ['relationOfType', 'relationsOf', 'relationsOfType'],
  'office/sheet-asides': ['addSheetAsides'],
  'office/sheet-rows': ['rowsOf'],
  'office/slide-comments': ['addSlideComments'],
  'office/word': ['readWord'],
  'office/word-pages': ['hasEvenPages', 'pageParts'],
  'office/word-story': ['readStory'],
  'office/word-styles': ['isOn', 'levelOf', 'stylesOf', 'valueOf'],
  'office/workbook': ['readWorkbook'],
  'office/workbook-parts': ['formatsOf', 'sharedStrings'],
  'office/xml': ['attribute', 'child', 'eachElement', 'elementsIn', 'rootName'],
  'office/xml-text': ['encodingOf', 'xmlText'],
  'server/agents/providers/vendor-errors': ['errorOfResponse'],
  'server/files/avatars': ['avatarBytesOf', 'avatarNameOf', 'givenAvatar', 'makeAvatar'],
  'server/files/base64': ['base64Of'],
  'server/files/confinement': ['confinedTo'],
  'server/files/content-types': ['isShown', 'photoType', 'isOfficeType'],
  'server/files/emoji': ['makePicture', 'pictureBytesOf', 'pictureNameOf'],
  'server/files/jpeg-metadata': ['withoutMetadata'],
  'server/files/office-text': ['readOfficeText'],
  'server/files/open-upload-units': ['partName'],
  'server/files/pdf-text': ['readPdf', 'openPdf'],
  'server/files/signatures': ['fileUrl', 'holdsFileUrls', 'thumbnailUrl'],
  'server/files/sound-type': ['soundType'],
  'server/files/storage': ['assertName'],
  'server/files/storage-quota': ['bytesOfMessage'],
  'server/files/stored-files': ['bytesOf', 'thumbnailBytesOf'],
  'server/previews/fetch-page': ['fetchPage'],
  'server/rules/asking-calls': ['grantedBy', 'grantsOf'],
  'server/rules/context-files': ['filesOf'],
  'server/rules/context-notes': ['attachmentNote', 'nameOf'],
  'server/rules/conversation-context': ['entriesOf'],
  'server/rules/decisions': ['chosenOption', 'isSameAnswer'],
  'server/rules/field-values': ['field'],
  'server/rules/library-text': ['passagesIn'],
  'server/rules/left-out-files': ['named', 'unreadNotice', 'unseenNotice'],
  'server/rules/left-out-tools': ['faultyServersNotice', 'untooledNotice'],
  'server/rules/reply-estimates': ['mostTokensOfReply'],
  'server/rules/provider-fields': ['providerFields'],
  'server/rules/push-words': ['pushWordsOf'],
  'server/rules/reply-parts': ['endedParts', 'placedIn', 'waitingParts'],
  'server/rules/summaries': ['roomBeside'],
};
