/** The text of each field that people edit, by its name on the page. */
export type ShownFields<Body> = Readonly<Record<string, (body: Body) => string>>;

interface Change {
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

export function changesBetween<Body>(
  before: Body,
  after: Body,
  fields: ShownFields<Body>,
): readonly Change[] {
  return Object.entries(fields)
    .map(([name, textOf]) => ({ name, before: textOf(before), after: textOf(after) }))
    .filter((change) => change.before !== change.after);
}
