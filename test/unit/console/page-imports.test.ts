import { brotliCompressSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { buildConsole } from "../../../infra/bundle/console-files.ts";

const { files, firstLoad, sources } = await buildConsole();

describe("the console's page", () => {
  it("is made of its own sources, the client, the contract, the vocabulary, and packages for a browser", () => {
    const foreign = sources.filter(
      (path) =>
        !/^(functions\/console\/page|shared\/(client|contract|page|vocabulary))\//.test(path) &&
        !/(^|\/)node_modules\/(preact|oauth4webapi)\//.test(path),
    );
    expect(foreign).toEqual([]);
  });

  it("loads at most 150 KB compressed before it shows anything", async () => {
    let bytes = 0;
    for (const file of files.filter(({ name }) => firstLoad.includes(name))) {
      bytes += brotliCompressSync(await file.read()).length;
    }
    expect(bytes).toBeGreaterThan(5_000);
    expect(bytes).toBeLessThan(150_000);
  });
});
