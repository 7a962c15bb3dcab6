import { existsSync } from "node:fs";
import { rename } from "node:fs/promises";
import { join } from "node:path";
import { FileAssetPackaging, type FileAssetSource } from "aws-cdk-lib/core";
import type { Bundle } from "../bundle.ts";
import { assetHash } from "./asset-hash.ts";

/** Moves the bundle into the assembly in the folder, unless the same one is there from a synthesis before. */
export async function placeBundle(
  outdir: string,
  { folder }: Bundle,
  codeCacheMaker: string | undefined,
): Promise<FileAssetSource> {
  const sourceHash = assetHash(folder, codeCacheMaker);
  const fileName = `asset.${sourceHash}`;
  if (!existsSync(join(outdir, fileName))) await rename(folder, join(outdir, fileName));
  return { fileName, sourceHash, packaging: FileAssetPackaging.ZIP_DIRECTORY, deployTime: true };
}
