import { parseArgs } from "node:util";
import { keysCommandOf, options } from "../../../infra/keys/key-arguments.ts";

export function parseKeyArguments(args: string[]) {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  return keysCommandOf(values, positionals);
}
