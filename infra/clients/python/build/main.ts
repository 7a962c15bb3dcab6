import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildWheel } from "./wheel.ts";

/** `npm run wheel`: builds the package into `infra/clients/python/dist`, with tools of its own in `.local`. */
const fileOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const environment = fileOf("../../../../.local/python");
const bin = join(environment, "bin");

if (!existsSync(join(bin, "datamodel-codegen"))) {
  execFileSync("python3", ["-m", "venv", environment], { stdio: "inherit" });
  const requirements = fileOf("../../../../test/clients/tools/requirements.txt");
  const options = ["--quiet", "--only-binary", ":all:", "-r", requirements];
  execFileSync(join(bin, "pip"), ["install", ...options], { stdio: "inherit" });
}
const wheel = await buildWheel(bin, fileOf("../../../../.local/wheel"));
const dist = fileOf("../dist");
mkdirSync(dist, { recursive: true });
cpSync(wheel, join(dist, basename(wheel)));
console.log(join("infra/clients/python/dist", basename(wheel)));
