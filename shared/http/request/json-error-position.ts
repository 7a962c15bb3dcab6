const whitespace = /[\t\n\r ]*/y;
const scalar =
  /"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const text = /"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;

type Expected = "value" | "value_or_end" | "name" | "name_or_end" | "colon" | "comma_or_end" | "nothing";

/** The position is counted from 0; `JSON.parse` reports it for some errors only, and with a piece of the text. */
export function jsonErrorPosition(json: string): number {
  const open: ("{" | "[")[] = [];
  let expected: Expected = "value";
  let at = 0;
  const match = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    if (!pattern.test(json)) return false;
    at = pattern.lastIndex;
    return true;
  };
  const afterValue = (): Expected => (open.length === 0 ? "nothing" : "comma_or_end");
  for (;;) {
    match(whitespace);
    const character = json[at];
    const inside = open.at(-1);
    const closes =
      (character === "}" && inside === "{" && (expected === "name_or_end" || expected === "comma_or_end")) ||
      (character === "]" && inside === "[" && (expected === "value_or_end" || expected === "comma_or_end"));
    if (closes) {
      open.pop();
      at += 1;
      expected = afterValue();
    } else if (expected === "comma_or_end" && character === ",") {
      at += 1;
      expected = inside === "{" ? "name" : "value";
    } else if (expected === "colon" && character === ":") {
      at += 1;
      expected = "value";
    } else if ((expected === "name" || expected === "name_or_end") && match(text)) {
      expected = "colon";
    } else if (expected === "value" || expected === "value_or_end") {
      if (character === "{" || character === "[") {
        open.push(character);
        at += 1;
        expected = character === "{" ? "name_or_end" : "value_or_end";
      } else if (match(scalar)) {
        expected = afterValue();
      } else return at;
    } else return at;
  }
}
