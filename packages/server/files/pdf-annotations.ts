// Runs in the inspecting process only: what stands on a page of a PDF beside its text.

/** Flags of annotations that are not shown. */
const HIDDEN = 2;
const NO_VIEW = 32;

/** Annotations whose text is a remark of a reader, which opens beside the page. */
const remarks = new Set(
  'Text Highlight Underline StrikeOut Squiggly Caret Square Circle Line Polygon PolyLine Ink Stamp'.split(' '),
);

/** An annotation as pdf.js gives it; its fields depend on its kind. */
type Annotation = Readonly<Record<string, unknown>>;

const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');
const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);

/** The values of form fields, free texts, and the remarks of readers, each as a line of its own. */
export function textsOfAnnotations(annotations: readonly Annotation[]): string[] {
  return annotations.flatMap((annotation): string[] => {
    const flags = Number(annotation['annotationFlags'] ?? 0);
    if ((flags & (HIDDEN | NO_VIEW)) !== 0 || annotation['hidden'] === true) return [];
    const kind = textOf(annotation['subtype']);
    if (kind === 'Widget') return valuesOf(annotation);
    const written = listOf(annotation['textContent']).filter((line) => typeof line === 'string');
    const contents = textOf(fieldOf(annotation['contentsObj'], 'str')) || written.join('\n').trim();
    if (contents === '' || (kind !== 'FreeText' && !remarks.has(kind))) return [];
    if (kind === 'FreeText') return [contents];
    const author = textOf(fieldOf(annotation['titleObj'], 'str'));
    return [`[Comment${author === '' ? '' : ` by ${author}`}] ${contents}`];
  });
}

/** What a field shows: its text, or the options that are chosen. Passwords and buttons show none. */
function valuesOf(field: Annotation): string[] {
  if (field['password'] === true) return [];
  const kind = field['fieldType'];
  if (kind !== 'Tx' && kind !== 'Ch') return [];
  const options = listOf(field['options'] ?? []);
  return listOf(field['fieldValue'])
    .map((value) => {
      const option = options.find((other) => fieldOf(other, 'exportValue') === value);
      return textOf(fieldOf(option, 'displayValue')) || textOf(value);
    })
    .filter((text) => text !== '');
}
