import { mkdtemp, rm } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { bundleCli } from "../../../infra/cli/build/bundle-cli.ts";
import description from "../../../infra/cli/package.json" with { type: "json" };
import project from "../../../package.json" with { type: "json" };

it("the bundle has neither zod nor a schema of the contract, and asks for nothing at run time", async () => {
  const folder = await mkdtemp(join(tmpdir(), "das-bundle-"));
  try {
    const { inputs, outputs } = await bundleCli(join(folder, "das.cjs"));
    const paths = Object.keys(inputs);
    expect(paths).toContain("infra/cli/operations/described-operations.ts");
    expect(
      paths.filter((path) =>
        /node_modules\/zod\/|^shared\/contract\/(?!operations\/called-operations)/.test(path),
      ),
    ).toEqual([]);
    const asked = Object.values(outputs).flatMap(({ imports }) => imports.map(({ path }) => path));
    expect(asked.filter((path) => !isBuiltin(path))).toEqual([]);
    expect(description).not.toHaveProperty("dependencies");
  } finally {
    await rm(folder, { recursive: true });
  }
});

it("the package and the project run from the same Node on", () => {
  expect(description.engines).toEqual(project.engines);
});
