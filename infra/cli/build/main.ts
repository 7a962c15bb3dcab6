import { chmod, copyFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { bundleCli } from "./bundle-cli.ts";

/** Runs before `npm pack`. npm takes the licence of the package's own folder. */
const outfile = fileURLToPath(new URL("../dist/das.cjs", import.meta.url));

await bundleCli(outfile);
await chmod(outfile, 0o755);
await copyFile(new URL("../../../LICENSE", import.meta.url), new URL("../LICENSE", import.meta.url));
