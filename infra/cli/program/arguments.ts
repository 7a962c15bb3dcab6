/** The first word may be `--version`, as with other programs. */
export function readLine(line: readonly string[]): readonly string[] {
  return line.length === 1 && (line[0] === "--version" || line[0] === "-V") ? ["version"] : withBodies(line);
}

/** `--json BODY` both sends the body and shows the response as JSON; alone, `--json` only shows. */
function withBodies(line: readonly string[]): readonly string[] {
  const end = line.indexOf("--");
  const options = end === -1 ? line : line.slice(0, end);
  const given: string[] = [];
  for (let at = 0; at < options.length; at += 1) {
    const word = options[at] ?? "";
    const next = options[at + 1] ?? "";
    if (word.startsWith("--json=")) given.push("--json", "--body", word.slice("--json=".length));
    else if (word === "--json" && (next === "-" || /^[{[@]/.test(next))) {
      given.push("--json", "--body", next);
      at += 1;
    } else given.push(word);
  }
  return [...given, ...line.slice(options.length)];
}
