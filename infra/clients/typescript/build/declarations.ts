import { readFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript-5";
import type { ClientModel } from "../../models/client-model.ts";
import { callTypes } from "./call-types.ts";
import { generateTypes } from "./generate-types.ts";

const projectFolder = fileURLToPath(new URL("../../../..", import.meta.url));
const entryPoint = join(projectFolder, "infra/clients/typescript/client.ts");
const replaced = "shared/client/call-types.ts";

/**
 * The package's types in one file that imports nothing: those of the model, of each operation, and of the client's own
 * modules, one after another.
 */
export async function declarations(model: ClientModel): Promise<string> {
  const modules = new Map<string, string>();
  await addModule(entryPoint, modules);
  const own = [...modules].filter(([path]) => path !== entryPoint).map(([, text]) => withoutExports(text));
  const entry = modules.get(entryPoint) ?? "";
  const named = [...entry.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, names = ""]) =>
    names.split(","),
  );
  const exported = named.map((name) => name.trim()).filter((name) => name !== "");
  return [
    await modelTypes(model),
    callTypes(model),
    ...own,
    entry.replaceAll(/^export (?:type )?\{[^}]*\} from .*$/gm, "").replaceAll(/^import .*$/gm, ""),
    `export { ${exported.join(", ")} };\n`,
  ].join("\n");
}

/** Adds what a module declares, after what it imports. */
async function addModule(path: string, modules: Map<string, string>): Promise<void> {
  if (modules.has(path) || relative(projectFolder, path) === replaced) return;
  modules.set(path, "");
  const { outputText, diagnostics = [] } = ts.transpileDeclaration(await readFile(path, "utf8"), {
    fileName: path,
    compilerOptions: {
      target: ts.ScriptTarget.ES2024,
      module: ts.ModuleKind.ESNext,
      isolatedDeclarations: true,
    },
    reportDiagnostics: true,
  });
  const [problem] = diagnostics;
  if (problem !== undefined)
    throw new Error(`${path}: ${ts.flattenDiagnosticMessageText(problem.messageText, " ")}`);
  for (const [, specifier = ""] of outputText.matchAll(/ from "(\.[^"]*)"/g)) {
    await addModule(join(dirname(path), specifier), modules);
  }
  modules.delete(path);
  modules.set(path, outputText);
}

function withoutExports(text: string): string {
  return text.replaceAll(/^import .*$/gm, "").replaceAll(/^export (\{\};)?/gm, "");
}

/** Each schema is a type of its own name. */
async function modelTypes({ schemas }: ClientModel): Promise<string> {
  const document = { openapi: "3.1.0", info: { title: "", version: "" }, paths: {}, components: { schemas } };
  return await generateTypes(document as Parameters<typeof generateTypes>[0], {
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
  });
}
