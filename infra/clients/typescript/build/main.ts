import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import project from "../../../../package.json" with { type: "json" };
import { allOperations } from "../../../../shared/contract/operations/all-operations.ts";
import { contractAsData } from "../../../bundle/contract-as-data.ts";
import { openApiDocument } from "../../../openapi/openapi-document.ts";
import { clientModel } from "../../models/client-model.ts";
import description from "../package.json" with { type: "json" };
import { declarations } from "./declarations.ts";

/** Runs before `npm pack`, which has read the version by then. npm takes the licence of the package's own folder. */
if (description.version !== project.version) {
  throw new Error(`package.json has the version ${description.version}, the project ${project.version}`);
}
const fileOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));

await mkdir(fileOf("../dist"), { recursive: true });
const model = clientModel(await openApiDocument(allOperations), allOperations);
await Promise.all([
  writeFile(fileOf("../dist/client.d.ts"), await declarations(model)),
  build({
    entryPoints: [fileOf("../client.ts")],
    outfile: fileOf("../dist/client.js"),
    bundle: true,
    format: "esm",
    // The module stays readable, since bundlers of pages minify it.
    platform: "neutral",
    target: "es2022",
    logLevel: "warning",
    plugins: [contractAsData],
  }),
  copyFile(fileOf("../../../../LICENSE"), fileOf("../LICENSE")),
]);
