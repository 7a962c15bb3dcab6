export interface DifferencePart {
  readonly kind: "same" | "removed" | "added";
  readonly text: string;
}

/** Above this the middle is shown as replaced as a whole: a table of all pairs would take too much memory. */
const pairsMax = 4_000_000;

/** What changed from one text to another, in words. */
export function textDifference(before: string, after: string): readonly DifferencePart[] {
  const [was, is] = [wordsOf(before), wordsOf(after)];
  let first = 0;
  while (first < was.length && first < is.length && was[first] === is[first]) first += 1;
  let last = 0;
  while (
    last < was.length - first &&
    last < is.length - first &&
    was[was.length - 1 - last] === is[is.length - 1 - last]
  ) {
    last += 1;
  }
  const middle = differenceOf(was.slice(first, was.length - last), is.slice(first, is.length - last));
  return joined([
    { kind: "same", text: was.slice(0, first).join("") },
    ...middle,
    { kind: "same", text: was.slice(was.length - last).join("") },
  ]);
}

function wordsOf(text: string): readonly string[] {
  return text.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [];
}

/** The longest common sequence of words stays. */
function differenceOf(was: readonly string[], is: readonly string[]): readonly DifferencePart[] {
  if (was.length * is.length > pairsMax) {
    return [
      { kind: "removed", text: was.join("") },
      { kind: "added", text: is.join("") },
    ];
  }
  const width = is.length + 1;
  const common = new Uint32Array((was.length + 1) * width);
  const at = (row: number, column: number) => common[row * width + column] ?? 0;
  for (let row = was.length - 1; row >= 0; row -= 1) {
    for (let column = is.length - 1; column >= 0; column -= 1) {
      common[row * width + column] =
        was[row] === is[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const parts: DifferencePart[] = [];
  let [row, column] = [0, 0];
  while (row < was.length || column < is.length) {
    const isSame = row < was.length && column < is.length && was[row] === is[column];
    const isRemoved =
      column === is.length || (row < was.length && at(row + 1, column) >= at(row, column + 1));
    if (isSame) parts.push({ kind: "same", text: was[row] ?? "" });
    else if (isRemoved) parts.push({ kind: "removed", text: was[row] ?? "" });
    else parts.push({ kind: "added", text: is[column] ?? "" });
    if (isSame || isRemoved) row += 1;
    if (isSame || !isRemoved) column += 1;
  }
  return parts;
}

function joined(parts: readonly DifferencePart[]): readonly DifferencePart[] {
  const whole: DifferencePart[] = [];
  for (const part of parts) {
    if (part.text === "") continue;
    const last = whole.at(-1);
    if (last?.kind === part.kind) whole[whole.length - 1] = { kind: part.kind, text: last.text + part.text };
    else whole.push(part);
  }
  return whole;
}
