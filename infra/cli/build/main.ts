import { chmod, copyFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { bundleCli } from "./bundle-cli.ts";
import { licencesOf } from "./licences.ts";

/** Runs before `npm pack`. npm takes the licence of the package's own folder. */
const projectFolder = fileURLToPath(new URL("../../..", import.meta.url));
const outfile = fileURLToPath(new URL("../dist/das.cjs", import.meta.url));

const { inputs } = await bundleCli(outfile);
await chmod(outfile, 0o755);
await writeFile(
  new URL("../dist/LICENSES.txt", import.meta.url),
  await licencesOf(projectFolder, Object.keys(inputs)),
);
await copyFile(new URL("../../../LICENSE", import.meta.url), new URL("../LICENSE", import.meta.url));
