import { ValidationException } from "./attribute-values.ts";

/** A place in an item: names of attributes, placeholders (`#name`) among them, and places in lists. */
export type Path = readonly (string | number)[];

export type Operand =
  | { readonly is: "path"; readonly path: Path }
  | { readonly is: "value"; readonly name: string }
  | { readonly is: "call"; readonly name: string; readonly given: readonly Operand[] }
  | { readonly is: "sum"; readonly sign: "+" | "-"; readonly left: Operand; readonly right: Operand };

export type Condition =
  | { readonly is: "and" | "or"; readonly left: Condition; readonly right: Condition }
  | { readonly is: "not"; readonly of: Condition }
  | { readonly is: "compare"; readonly by: string; readonly left: Operand; readonly right: Operand }
  | { readonly is: "between"; readonly of: Operand; readonly low: Operand; readonly high: Operand }
  | { readonly is: "in"; readonly of: Operand; readonly among: readonly Operand[] }
  | { readonly is: "call"; readonly name: string; readonly given: readonly Operand[] };

export interface Update {
  readonly set: readonly { readonly name: string; readonly to: Operand }[];
  readonly remove: readonly string[];
  readonly add: readonly { readonly name: string; readonly by: Operand }[];
  readonly delete: readonly { readonly name: string; readonly by: Operand }[];
}

const token = /\s*(<=|>=|<>|[=<>()+,.[\]-]|[#:]?\w+)/y;
const comparators: ReadonlySet<string> = new Set(["=", "<>", "<", "<=", ">", ">="]);
const sections = ["SET", "REMOVE", "ADD", "DELETE"] as const;

function cached<Parsed>(parse: (reader: Reader) => Parsed): (text: string) => Parsed {
  const known = new Map<string, Parsed>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const reader = new Reader(text);
    const parsed = parse(reader);
    if (reader.peek() !== undefined) throw reader.unexpected();
    known.set(text, parsed);
    return parsed;
  };
}

export function placeholdersOf(text: string): readonly string[] {
  return text.match(/[#:]\w+/g) ?? [];
}

export const parseCondition = cached((reader) => readOr(reader));

export const parseProjection = cached((reader) => readMany(reader, () => readName(reader)));

export const parseUpdate = cached((reader): Update => {
  const update = {
    set: [] as Update["set"],
    remove: [] as Update["remove"],
    add: [] as Update["add"],
    delete: [] as Update["delete"],
  };
  const seen = new Set<string>();
  while (reader.peek() !== undefined) {
    const section = sections.find((name) => reader.takes(name));
    if (section === undefined || seen.has(section)) throw reader.unexpected();
    seen.add(section);
    if (section === "SET") {
      update.set = readMany(reader, () => {
        const name = readName(reader);
        reader.expect("=");
        return { name, to: readSum(reader) };
      });
    } else if (section === "REMOVE") {
      update.remove = readMany(reader, () => readName(reader));
    } else {
      const changes = readMany(reader, () => ({ name: readName(reader), by: readOperand(reader) }));
      if (section === "ADD") update.add = changes;
      else update.delete = changes;
    }
  }
  return update;
});

class Reader {
  readonly #tokens: readonly string[];
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    const tokens: string[] = [];
    token.lastIndex = 0;
    for (let from = 0; text.slice(from).trim() !== ""; from = token.lastIndex) {
      token.lastIndex = from;
      const [, found] = token.exec(text) ?? [];
      if (found === undefined) throw new ValidationException(`no expression: ${text}`);
      tokens.push(found);
    }
    this.#tokens = tokens;
    this.#text = text;
  }

  peek(ahead = 0): string | undefined {
    return this.#tokens[this.#at + ahead];
  }

  take(): string {
    const next = this.peek();
    if (next === undefined) throw this.unexpected();
    this.#at += 1;
    return next;
  }

  takes(wanted: string): boolean {
    if (this.peek() !== wanted) return false;
    this.#at += 1;
    return true;
  }

  expect(wanted: string): void {
    if (!this.takes(wanted)) throw this.unexpected();
  }

  unexpected(): ValidationException {
    return new ValidationException(`unexpected ${this.peek() ?? "end"} in: ${this.#text}`);
  }
}

function readMany<Part>(reader: Reader, read: () => Part): Part[] {
  const parts = [read()];
  while (reader.takes(",")) parts.push(read());
  return parts;
}

function readOr(reader: Reader): Condition {
  let left = readAnd(reader);
  while (reader.takes("OR")) left = { is: "or", left, right: readAnd(reader) };
  return left;
}

function readAnd(reader: Reader): Condition {
  let left = readNot(reader);
  while (reader.takes("AND")) left = { is: "and", left, right: readNot(reader) };
  return left;
}

function readNot(reader: Reader): Condition {
  if (reader.takes("NOT")) return { is: "not", of: readNot(reader) };
  if (reader.takes("(")) {
    const inner = readOr(reader);
    reader.expect(")");
    return inner;
  }
  const left = readOperand(reader);
  const next = reader.peek();
  if (next !== undefined && comparators.has(next)) {
    return { is: "compare", by: reader.take(), left, right: readOperand(reader) };
  }
  if (reader.takes("BETWEEN")) {
    const low = readOperand(reader);
    reader.expect("AND");
    return { is: "between", of: left, low, high: readOperand(reader) };
  }
  if (reader.takes("IN")) {
    reader.expect("(");
    const among = readMany(reader, () => readOperand(reader));
    reader.expect(")");
    return { is: "in", of: left, among };
  }
  if (left.is === "call") return left;
  throw reader.unexpected();
}

function readSum(reader: Reader): Operand {
  const left = readOperand(reader);
  for (const sign of ["+", "-"] as const) {
    if (reader.takes(sign)) return { is: "sum", sign, left, right: readOperand(reader) };
  }
  return left;
}

function readOperand(reader: Reader): Operand {
  if (reader.peek()?.startsWith(":")) return { is: "value", name: reader.take() };
  if (reader.peek(1) !== "(") return { is: "path", path: readPath(reader) };
  const name = reader.take();
  reader.expect("(");
  const given = readMany(reader, () => readOperand(reader));
  reader.expect(")");
  return { is: "call", name, given };
}

function readName(reader: Reader): string {
  const path = readPath(reader);
  const [name] = path;
  if (path.length !== 1 || typeof name !== "string") throw reader.unexpected();
  return name;
}

function readPath(reader: Reader): Path {
  const first = reader.take();
  if (!/^#?[A-Za-z_]\w*$/.test(first) && !/^#\w+$/.test(first)) throw reader.unexpected();
  const path: (string | number)[] = [first];
  for (;;) {
    if (reader.takes(".")) path.push(reader.take());
    else if (reader.takes("[")) {
      path.push(Number(reader.take()));
      reader.expect("]");
    } else return path;
  }
}
