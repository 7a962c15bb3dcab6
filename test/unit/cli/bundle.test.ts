import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { createRequire, isBuiltin } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { bundleCli } from "../../../infra/cli/build/bundle-cli.ts";
import description from "../../../infra/cli/package.json" with { type: "json" };
import project from "../../../package.json" with { type: "json" };
import { encodePng } from "../../../shared/pictures/encode-png.ts";

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

it("what is bundled still makes sixels, though the rules of one file are stricter", async () => {
  const folder = await mkdtemp(join(tmpdir(), "das-bundle-"));
  try {
    const file = join(folder, "picture-text.cjs");
    await bundleCli(file, "infra/cli/pictures/picture-text.ts");
    const { pictureText } = createRequire(file)(
      file,
    ) as typeof import("../../../infra/cli/pictures/picture-text.ts");
    const noise = createHash("shake256", { outputLength: 3 * 20 * 20 }).digest();
    const text = await pictureText("sixel", encodePng({ width: 20, height: 20, data: noise }), 80);
    expect(text).toMatch(/"1;1;20;20#0;2;/);
  } finally {
    await rm(folder, { recursive: true });
  }
});

it("the package and the project run from the same Node on", () => {
  expect(description.engines).toEqual(project.engines);
});
