import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { synthesize } from "../../../infra/local/synthesize.ts";

const appFile = `
  import { appendFileSync, writeFileSync } from "node:fs";
  appendFileSync(new URL("../runs", import.meta.url), "x");
  writeFileSync(process.env.CDK_OUTDIR + "/manifest.json", "{}");
`;

describe("synthesis", () => {
  let root: string;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), "synthesize-"));
    for (const folder of ["infra/local", "functions/health", "shared"]) {
      await mkdir(join(root, folder), { recursive: true });
    }
    await writeFile(join(root, "infra/app.ts"), appFile);
    await writeFile(join(root, "functions/health/index.ts"), "first");
  });
  afterEach(async () => {
    await rm(root, { recursive: true, force: true });
  });

  const runs = async (): Promise<number> => (await readFile(join(root, "runs"), "utf8")).length;

  it("is skipped when nothing has changed", async () => {
    const first = await synthesize(root);
    const second = await synthesize(root);
    expect([first.isCached, second.isCached, await runs()]).toEqual([false, true, 1]);
    expect(second.folder).toBe(first.folder);
  });

  it("is done again when a source has changed, and found again when it has changed back", async () => {
    const first = await synthesize(root);
    await writeFile(join(root, "functions/health/index.ts"), "second");
    expect((await synthesize(root)).folder).not.toBe(first.folder);
    await writeFile(join(root, "functions/health/index.ts"), "first");
    expect(await synthesize(root)).toEqual({ folder: first.folder, isCached: true });
    expect(await runs()).toBe(2);
  });

  it("is not done again for a change of the local stack itself", async () => {
    await synthesize(root);
    await writeFile(join(root, "infra/local/stack.ts"), "changed");
    expect((await synthesize(root)).isCached).toBe(true);
  });

  it("is done once more when a source changes while it runs", async () => {
    const changing = `${appFile}
      const source = new URL("../functions/health/index.ts", import.meta.url);
      writeFileSync(source, "changed while it ran");`;
    await writeFile(join(root, "infra/app.ts"), changing);
    await synthesize(root);
    expect(await runs()).toBe(2);
    expect((await synthesize(root)).isCached).toBe(true);
  });

  it("says what the app printed when it fails, and keeps nothing of it", async () => {
    await writeFile(join(root, "infra/app.ts"), 'console.error("no such setting"); process.exitCode = 1;');
    await expect(synthesize(root)).rejects.toThrow("the app does not synthesize: no such setting");
    await writeFile(join(root, "infra/app.ts"), appFile);
    expect((await synthesize(root)).isCached).toBe(false);
  });

  it("ends at once when it is given up", async () => {
    await writeFile(join(root, "infra/app.ts"), "setInterval(() => {}, 1_000);");
    const givingUp = new AbortController();
    setTimeout(() => givingUp.abort(), 300);
    await expect(synthesize(root, givingUp.signal)).rejects.toThrow(/abort/);
  });
});
