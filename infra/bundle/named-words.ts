import { glob, readFile } from "node:fs/promises";
import { join } from "node:path";

/** Every capitalized word in the sources of what runs in Lambda. */
export async function namedWords(projectFolder: string): Promise<ReadonlySet<string>> {
  const words = new Set<string>();
  for await (const file of glob("{functions,shared}/**/*.ts", { cwd: projectFolder })) {
    const source = await readFile(join(projectFolder, file), "utf8");
    for (const [word] of source.matchAll(/\b[A-Z]\w+/g)) words.add(word);
  }
  return words;
}
