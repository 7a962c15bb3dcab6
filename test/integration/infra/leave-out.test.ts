import { build } from "esbuild";
import { describe, expect, it } from "vitest";
import { type LeftOut, leaveOut } from "../../../infra/bundle/leave-out.ts";

const locales = "zod/v4/locales/index.js";

async function bundled(modules: readonly LeftOut[]): Promise<{ en: () => unknown; ja: () => unknown }> {
  const { outputFiles } = await build({
    stdin: {
      contents: `import { locales } from "zod"; export const en = locales.en; export const ja = locales.ja;`,
      resolveDir: import.meta.dirname,
    },
    bundle: true,
    format: "esm",
    mainFields: ["module", "main"],
    write: false,
    logLevel: "silent",
    plugins: [leaveOut(modules)],
  });
  return await import(`data:text/javascript,${encodeURIComponent(outputFiles[0]?.text ?? "")}`);
}

describe("leaveOut", () => {
  it("lets what is left out throw and name itself, and keeps what stands instead", async () => {
    const en = "export const en = () => 'English';";
    const module = await bundled([{ file: locales, reason: "nobody reads them", instead: { en } }]);
    expect(module.en()).toBe("English");
    expect(() => module.ja()).toThrow(
      `${locales} is left out of the bundles (infra/bundle/left-out.ts): nobody reads them`,
    );
  });

  it("fails the build when the file is not there any more", async () => {
    await expect(bundled([{ file: "zod/v4/gone.js", reason: "none" }])).rejects.toThrow("gone.js");
  });

  it("fails the build when the file does not export any more what is replaced", async () => {
    const instead = { klingon: "export const klingon = 1;" };
    await expect(bundled([{ file: locales, reason: "none", instead }])).rejects.toThrow(
      `${locales} does not export klingon`,
    );
  });
});
