/** The longest text of one call. */
const charactersMax = 5_000;

/** A long text in parts that a call takes; a system's own line ends become one character. */
export function textsOf(text: string): readonly string[] {
  const characters = [...text.replaceAll(/\r\n?/g, "\n")];
  const parts: string[] = [];
  for (let at = 0; at < characters.length; at += charactersMax) {
    parts.push(characters.slice(at, at + charactersMax).join(""));
  }
  return parts;
}
