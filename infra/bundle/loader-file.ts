import { build } from "esbuild";
import { buildOptions } from "./build-options.ts";

export const loaderName = "loader.cjs";

export async function buildLoader(): Promise<Uint8Array> {
  const { outputFiles } = await build({ ...buildOptions, entryPoints: ["shared/runtime/loader.ts"] });
  return outputFiles[0]?.contents ?? new Uint8Array();
}
