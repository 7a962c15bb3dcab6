import { execFile } from "node:child_process";
import { copyFile, cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import project from "../../../../package.json" with { type: "json" };
import { allOperations } from "../../../../shared/contract/operations/all-operations.ts";
import { filesBytesMax } from "../../../../shared/vocabulary/files.ts";
import { waitSecondsMax } from "../../../../shared/vocabulary/following.ts";
import { terminalRunStatuses } from "../../../../shared/vocabulary/runs.ts";
import { openApiDocument } from "../../../openapi/openapi-document.ts";
import { clientModel } from "../../models/client-model.ts";
import { argumentNameOf } from "../names.ts";
import { asyncOperations } from "./operations.ts";
import { syncOf } from "./sync-of.ts";

const run = promisify(execFile);
const fileOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const packageName = "desktop_automation_service";

/**
 * Builds the package from what is written by hand and what is generated of the contract.
 *
 * @param bin has `python` and the tools of `test/clients/tools/requirements.txt`.
 * @param folder is made anew: the sources lie in it, the wheel in its `dist`.
 * @returns the wheel's path.
 */
export async function buildWheel(bin: string, folder: string): Promise<string> {
  await rm(folder, { recursive: true, force: true });
  const sources = join(folder, packageName);
  await cp(fileOf(`../${packageName}`), sources, { recursive: true });
  await copyFile(fileOf("../pyproject.toml"), join(folder, "pyproject.toml"));
  await copyFile(fileOf("../README.md"), join(folder, "README.md"));
  await copyFile(fileOf("../../../../LICENSE"), join(folder, "LICENSE"));
  await writeFile(join(sources, "_version.py"), `__version__ = "${project.version}"\n`);
  await writeFile(join(sources, "_facts.py"), facts());
  const model = clientModel(await openApiDocument(allOperations), allOperations, argumentNameOf);
  await writeFile(join(sources, "_async_operations.py"), asyncOperations(model));
  for (const name of (await readdir(sources)).filter((each) => each.startsWith("_async_"))) {
    const text = await readFile(join(sources, name), "utf8");
    await writeFile(join(sources, name.replace("_async_", "_")), syncOf(text));
  }
  await generateModels(bin, folder, join(sources, "models.py"), model.schemas);
  const dist = join(folder, "dist");
  await mkdir(dist);
  await run(join(bin, "python"), ["-m", "flit_core.wheel", "--outdir", dist, folder]);
  const [wheel = ""] = await readdir(dist);
  return join(dist, wheel);
}

async function generateModels(bin: string, folder: string, output: string, schemas: object): Promise<void> {
  const input = join(folder, "schemas.json");
  const info = { title: "Types", version: project.version };
  await writeFile(input, JSON.stringify({ openapi: "3.1.0", info, paths: {}, components: { schemas } }));
  await run(join(bin, "datamodel-codegen"), [
    ...["--input", input, "--input-file-type", "openapi", "--output", output],
    // A field or a value that a later release adds is no error of a dictionary.
    ...["--output-model-type", "typing.TypedDict", "--enum-field-as-literal", "all"],
    ...["--use-schema-description", "--use-field-description", "--use-union-operator"],
    ...["--target-python-version", "3.11", "--disable-timestamp", "--formatters", "builtin"],
  ]);
}

function facts(): string {
  const statuses = terminalRunStatuses.map((status) => JSON.stringify(status)).join(", ");
  return [
    `FILES_BYTES_MAX = ${filesBytesMax}`,
    `TERMINAL_RUN_STATUSES = frozenset({${statuses}})`,
    `WAIT_SECONDS_MAX = ${waitSecondsMax}`,
    "",
  ].join("\n");
}
