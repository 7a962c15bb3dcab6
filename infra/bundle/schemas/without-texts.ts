import {
  type CallExpression,
  type Expression,
  type HasSpan,
  type KeyValueProperty,
  type Node,
  parse,
} from "@swc/core";

const schemaTexts: ReadonlySet<string> = new Set(["describe", "meta"]);

const operationTexts: ReadonlySet<string> = new Set(["summary", "description", "example", "refusals"]);

/** @param source is formatted TypeScript, whose declarations stay at the margin. */
export async function withoutTexts(source: string, kind: "schemas" | "operations"): Promise<string> {
  const bytes = Buffer.from(source);
  const removed: [start: number, end: number][] = [];
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    const schema = isNode(value) ? describedSchema(value) : undefined;
    if (schema !== undefined) {
      removed.push([startOf(value), startOf(schema)], [endOf(schema), endOf(value)]);
      visit(schema);
    } else if (kind === "operations" && isNode(value) && isText(value)) {
      const [comma = ""] = /^\s*,/.exec(bytes.toString("utf8", endOf(value.value))) ?? [];
      removed.push([startOf(value.key), endOf(value.value) + comma.length]);
    } else {
      Object.values(value).forEach(visit);
    }
  };
  visit(await parse(source, { syntax: "typescript" }));
  removed.sort(([a], [b]) => a - b);
  const starts = [0, ...removed.map(([, end]) => end)];
  const ends = [...removed.map(([start]) => start), bytes.length];
  return starts.map((start, at) => bytes.toString("utf8", start, ends[at])).join("");
}

function describedSchema(node: Node): Expression | undefined {
  if (node.type !== "CallExpression") return undefined;
  const { callee, arguments: given } = node as CallExpression;
  if (callee.type === "Identifier" && callee.value === "example") return given[0]?.expression;
  if (callee.type !== "MemberExpression" || callee.property.type !== "Identifier" || given.length !== 1)
    return undefined;
  return schemaTexts.has(callee.property.value) ? callee.object : undefined;
}

function isText(node: Node): node is KeyValueProperty {
  if (node.type !== "KeyValueProperty") return false;
  const { key } = node as KeyValueProperty;
  return key.type === "Identifier" && operationTexts.has(key.value);
}

function isNode(value: object): value is Node {
  return "type" in value;
}

/** The parser counts bytes from 1. */
function startOf(node: unknown): number {
  return (node as HasSpan).span.start - 1;
}

function endOf(node: unknown): number {
  return (node as HasSpan).span.end - 1;
}
