import { globSync } from "node:fs";
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildWheel } from "../../infra/clients/python/build/wheel.ts";
import { sampleOf as pythonSample } from "../../infra/clients/python/sample-of.ts";
import type { ExampleCall } from "../../infra/clients/sample/call.ts";
import { exampleCalls } from "../../infra/clients/sample/example-call.ts";
import { generateTypes } from "../../infra/clients/typescript/build/generate-types.ts";
import { sampleOf as typeScriptSample } from "../../infra/clients/typescript/sample-of.ts";
import { openApiDocument } from "../../infra/openapi/openapi-document.ts";
import { allOperations } from "../../shared/contract/operations/all-operations.ts";
import type { Tools } from "./tools.ts";
import type { Workplace } from "./workplace.ts";

export interface Surroundings {
  readonly place: Workplace;
  readonly tools: Tools;
  /** The file with the service's OpenAPI document. */
  readonly document: string;
  /** The variables that each program reads. */
  readonly service: Readonly<Record<string, string>>;
}

export interface Client {
  readonly name: string;
  /** What needs nothing but npm can be had wherever the tests run. */
  readonly isRequired: boolean;
  /** @throws {NotToBeHad} or an error of the client. */
  use(surroundings: Surroundings): Promise<void>;
}

const fileOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const tsc = fileOf("../../node_modules/.bin/tsc");
const esbuild = fileOf("../../node_modules/.bin/esbuild");

/** Programs that run for seconds spend half of their processor time on being fast later. */
const shortJava = { JAVA_TOOL_OPTIONS: "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC" };

/** The longest first, after those that need only npm. */
export const clients: readonly Client[] = [
  {
    name: "the published client for TypeScript",
    isRequired: true,
    async use({ place, service }) {
      await place.run("npm", ["pack", fileOf("../../infra/clients/typescript")]);
      const [tarball = ""] = globSync("*.tgz", { cwd: place.folder });
      await writeFile(join(place.folder, "package.json"), '{ "type": "module" }');
      await place.run("npm", ["install", "--offline", "--no-audit", "--no-fund", tarball]);
      await cp(fileOf("programs/published.ts"), join(place.folder, "program.ts"));
      await cp(fileOf("programs/published.tsconfig.json"), join(place.folder, "tsconfig.json"));
      await writeSamples(join(place.folder, "samples"), "ts", typeScriptSample);
      await place.run(tsc, ["-p", "."]);
      await place.run(process.execPath, ["program.ts"], { env: service });
    },
  },
  {
    name: "the published client for Python",
    isRequired: false,
    async use({ place, tools, service }) {
      const bin = await tools.python;
      const wheel = await buildWheel(bin, join(place.folder, "package"));
      await place.run(join(bin, "pip"), ["install", "--quiet", "--no-deps", "--no-index", wheel]);
      const programs = ["published.py", "published_retries.py"].map((name) => fileOf(`programs/${name}`));
      await writeSamples(join(place.folder, "samples"), "py", pythonSample);
      const samples = globSync("samples/*.py", { cwd: place.folder });
      const types = place.run(join(bin, "mypy"), [
        ...["--strict", "package/desktop_automation_service", ...programs, ...samples],
      ]);
      const used = programs.map(async (program) => {
        await place.run(join(bin, "python"), [program], { env: service });
      });
      await Promise.all([types, ...used]);
    },
  },
  {
    name: "openapi-typescript",
    isRequired: true,
    async use(surroundings) {
      const types = await generateTypes(JSON.parse(await readFile(surroundings.document, "utf8")));
      await writeFile(join(surroundings.place.folder, "client.d.ts"), types);
      await useTypeScript("openapi-fetch.ts", surroundings);
    },
  },
  {
    name: "@hey-api/openapi-ts",
    isRequired: true,
    async use(surroundings) {
      const { place, tools, document } = surroundings;
      await place.run(join(await tools.npm, "openapi-ts"), ["-i", document, "-o", "client"]);
      await useTypeScript("hey-api.ts", surroundings);
    },
  },
  {
    name: "Spectral",
    isRequired: true,
    async use({ place, tools, document }) {
      const options = ["--ruleset", fileOf("options/spectral.yaml"), "--fail-severity", "error"];
      await place.run(join(await tools.npm, "spectral"), ["lint", document, ...options]);
    },
  },
  {
    name: "Redocly",
    isRequired: true,
    async use({ place, tools, document }) {
      const options = ["--config", fileOf("options/redocly.yaml")];
      const env = { REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
      await place.run(join(await tools.npm, "redocly"), ["lint", document, ...options], { env });
    },
  },
  {
    name: "openapi-generator java",
    isRequired: false,
    async use(surroundings) {
      const { place, service } = surroundings;
      await generate("java", surroundings);
      const env = shortJava;
      const copying = [
        "dependency:copy-dependencies",
        "-DoutputDirectory=packages",
        "-DincludeScope=compile",
      ];
      await place.fetch("mvn", ["--batch-mode", "--quiet", ...copying], { env });
      await cp(fileOf("programs/Program.java"), join(place.folder, "Program.java"));
      const sources = globSync("src/main/**/*.java", { cwd: place.folder });
      const options = ["-encoding", "UTF-8", "-proc:none", "-nowarn", "-d", "classes", "-cp", "packages/*"];
      await place.run("javac", [...options, ...sources, "Program.java"], { env });
      await place.run("java", ["-cp", "classes:packages/*", "Program"], { env: service });
    },
  },
  {
    name: "openapi-generator go",
    isRequired: false,
    async use(surroundings) {
      const { place, service } = surroundings;
      // A newer toolchain is not fetched for it.
      const env = { GOTOOLCHAIN: "local" };
      await generate("go", surroundings);
      await cp(fileOf("programs/program.go"), join(place.folder, "program", "main.go"));
      // The generator names a Go that Debian's stable release has not; its code needs no such.
      await place.run("go", ["mod", "edit", "-go=1.19"], { env });
      await place.fetch("go", ["mod", "download"], { env });
      await place.run("go", ["mod", "tidy"], { env });
      await place.run("go", ["build", "-o", "run-program", "./program"], { env });
      await place.run(join(place.folder, "run-program"), [], { env: service });
    },
  },
  {
    name: "openapi-generator python",
    isRequired: false,
    async use(surroundings) {
      await generate("python", surroundings);
      await usePython("openapi_generator.py", surroundings);
    },
  },
  {
    name: "openapi-generator typescript-fetch",
    isRequired: false,
    async use(surroundings) {
      await generate("typescript-fetch", surroundings, "client");
      await useTypeScript("typescript-fetch.ts", surroundings);
    },
  },
  {
    name: "openapi-python-client",
    isRequired: false,
    async use(surroundings) {
      const { place, tools, document } = surroundings;
      await place.run(join(await tools.python, "openapi-python-client"), [
        ...["generate", "--path", document, "--output-path", "service", "--meta", "none"],
        ...["--config", fileOf("options/openapi-python-client.yaml"), "--fail-on-warning"],
      ]);
      await usePython("openapi_python_client.py", surroundings);
    },
  },
];

async function writeSamples(
  folder: string,
  ending: string,
  sampleOf: (call: ExampleCall) => string,
): Promise<void> {
  await mkdir(folder);
  for (const call of exampleCalls(await openApiDocument(allOperations))) {
    await writeFile(join(folder, `${call.id}.${ending}`), sampleOf(call));
  }
}

async function generate(
  language: string,
  { place, tools, document }: Surroundings,
  folder = ".",
): Promise<void> {
  const command = ["generate", "-i", document, "-c", fileOf(`options/${language}.yaml`), "-o", folder];
  const without = ["--global-property", "apiTests=false,modelTests=false,apiDocs=false,modelDocs=false"];
  const env = shortJava;
  await place.run(join(await tools.python, "openapi-generator-cli"), [...command, ...without], { env });
}

async function useTypeScript(program: string, { place, service }: Surroundings): Promise<void> {
  await cp(fileOf(`programs/${program}`), join(place.folder, "program.ts"));
  await cp(fileOf("programs/tsconfig.json"), join(place.folder, "tsconfig.json"));
  await place.run(tsc, ["-p", "."]);
  const options = ["--bundle", "--platform=node", "--format=esm", "--log-level=warning"];
  await place.run(esbuild, ["program.ts", ...options, "--outfile=program.mjs"]);
  await place.run(process.execPath, ["program.mjs"], { env: service });
}

async function usePython(program: string, { place, tools, service }: Surroundings): Promise<void> {
  const env = { ...service, PYTHONPATH: place.folder };
  await place.run(join(await tools.python, "python"), [fileOf(`programs/${program}`)], { env });
}
