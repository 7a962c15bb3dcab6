import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { expect, it } from "vitest";
import { folderFiles } from "../../../shared/runtime/folder-files.ts";

it("reads a file again that could not be read once", async () => {
  const folder = await mkdtemp(join(tmpdir(), "files-"));
  try {
    await writeFile(join(folder, "manifest.json"), '{"a.txt": "tag"}');
    const file = folderFiles(folder).find("a.txt");
    await expect(file?.read("gzip")).rejects.toThrow("ENOENT");
    await writeFile(join(folder, "a.txt"), brotliCompressSync("text"));
    expect(String(await file?.read(undefined))).toBe("text");
    expect((await file?.read("gzip"))?.length).toBeGreaterThan(0);
  } finally {
    await rm(folder, { recursive: true });
  }
});
