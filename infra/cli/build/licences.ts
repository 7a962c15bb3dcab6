import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

const packageFolder = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;

/** The licences of the packages that are in the bundle, which ask to be passed on with it. @param inputs are its files. */
export async function licencesOf(projectFolder: string, inputs: readonly string[]): Promise<string> {
  const folders = new Set(inputs.map((path) => path.match(packageFolder)?.[0]));
  const texts: string[] = [];
  for (const folder of [...folders].toSorted()) {
    if (folder !== undefined) texts.push(await licenceIn(join(projectFolder, folder)));
  }
  return texts.join("\n----\n\n");
}

/** A package without a file says which licence it means. */
async function licenceIn(folder: string): Promise<string> {
  const file = (await readdir(folder)).find((name) => /^licen[cs]e/i.test(name));
  const described = JSON.parse(await readFile(join(folder, "package.json"), "utf8")) as Record<
    string,
    unknown
  >;
  const { name, version, author, license } = described;
  if (file === undefined && license === undefined) throw new Error(`${name} has no licence`);
  const text = file === undefined ? `${license}, by ${author}` : await readFile(join(folder, file), "utf8");
  return `${name} ${version}\n\n${text.trim()}\n`;
}
