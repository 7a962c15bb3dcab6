import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import * as z from "zod";

const contractFolder = fileURLToPath(new URL("../../shared/contract/", import.meta.url));

const componentTypes: ReadonlySet<string> = new Set([
  "object",
  "union",
  "enum",
  "record",
  "array",
  "prefault",
]);

/** @throws {Error} when two modules export different schemas under one name. */
export async function contractSchemas(): Promise<ReadonlyMap<string, z.ZodType>> {
  const schemas = new Map<string, z.ZodType>();
  const files = (await readdir(contractFolder, { recursive: true })).filter(
    (name) => name.endsWith(".ts") && !/^(fields|operations)\b/.test(name),
  );
  for (const file of files.sort()) {
    const module = (await import(pathToFileURL(join(contractFolder, file)).href)) as Record<string, unknown>;
    for (const [name, value] of Object.entries(module)) {
      if (!(value instanceof z.ZodType) || !isComponent(name, value)) continue;
      const known = schemas.get(name);
      if (known !== undefined && known !== value) {
        throw new Error(
          `${file} exports another schema under the name ${name}, which the documents need once`,
        );
      }
      schemas.set(name, value);
    }
  }
  return schemas;
}

/** Parameters are not components, and a kind of text says more where it is used. */
function isComponent(name: string, schema: z.ZodType): boolean {
  return /^[A-Z]/.test(name) && !/(Path|Query)$/.test(name) && componentTypes.has(schema.def.type);
}
