import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, expect, it } from "vitest";

const plugin = resolve("test/lint/no-literal-spread.grit");
const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

function lint(source: string) {
  const folder = mkdtempSync(join(tmpdir(), "das-lint-"));
  folders.push(folder);
  writeFileSync(join(folder, "biome.json"), JSON.stringify({ plugins: [plugin] }));
  writeFileSync(join(folder, "planted.ts"), source);
  const { status, stderr } = spawnSync(
    resolve("node_modules/.bin/biome"),
    ["lint", "--only=plugin", folder],
    {
      cwd: folder,
      encoding: "utf8",
    },
  );
  return { isRefused: status !== 0, stderr };
}

it("refuses the spread of an object literal", () => {
  const { isRefused, stderr } = lint("export const a = { ...{ b: 1 }, c: 2 };\n");
  expect(isRefused).toBe(true);
  expect(stderr).toContain("excess properties");
});

it("allows every other spread", () => {
  const allowed =
    "const a = { b: 1 };\nexport const c = { ...a, ...(a.b === 1 && { d: 2 }), e: [...[1]] };\n";
  expect(lint(allowed)).toMatchObject({ isRefused: false });
});
