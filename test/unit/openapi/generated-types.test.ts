import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, describe, expect, it, vi } from "vitest";
import { generateTypes } from "../../../infra/clients/typescript/build/generate-types.ts";
import { openApiDocument } from "../../../infra/openapi/openapi-document.ts";
import { allOperations } from "../../../shared/contract/operations/all-operations.ts";
import { callsOf } from "../../support/openapi/client-calls.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));

const document = JSON.parse(JSON.stringify(await openApiDocument(allOperations)));
const folder = await mkdtemp(join(root, "node_modules", ".generated-"));
afterAll(() => rm(folder, { recursive: true }));

describe("a client in TypeScript", () => {
  it("is generated without a warning, and calls each operation with what the document shows", async () => {
    const said = (["warn", "error", "log"] as const).map((level) =>
      vi.spyOn(console, level).mockImplementation(() => undefined),
    );
    const types = await generateTypes(document);
    expect(said.flatMap(({ mock }) => mock.calls)).toEqual([]);
    const calls = callsOf(document);
    expect(calls.length).toBe(allOperations.length);
    await writeFile(join(folder, "api.d.ts"), types);
    await writeFile(join(folder, "calls.ts"), calls.join("\n"));
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify(settings));
    const tsc = join(root, "node_modules", ".bin", "tsc");
    const { stdout } = await promisify(execFile)(tsc, ["-p", folder]).catch((error) => error);
    expect(stdout).toBe("");
  });
});

const settings = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    lib: ["es2024", "dom"],
    target: "es2024",
    module: "nodenext",
    moduleResolution: "nodenext",
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
  },
  files: ["calls.ts"],
};
