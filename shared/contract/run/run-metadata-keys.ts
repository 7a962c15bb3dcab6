import * as z from "zod";
import { indexedMetadataKeysMax } from "../../vocabulary/metadata.ts";
import { refuseValue } from "../fields/common.ts";
import { example } from "../fields/example.ts";
import { MetadataKey } from "../fields/metadata.ts";

export const SetRunMetadataKeysBody = z
  .strictObject({
    keys: z
      .array(MetadataKey)
      .max(indexedMetadataKeysMax)
      .superRefine(requireDistinct)
      .meta({ uniqueItems: true })
      .describe(
        `The keys of \`metadata\` by whose values runs are indexed, at most ${indexedMetadataKeysMax}, each once; they replace all that there are.`,
      ),
  })
  .describe("The keys of metadata by whose values an organization's runs are indexed.");

function requireDistinct(keys: readonly string[], context: z.core.$RefinementCtx): void {
  for (const [index, key] of keys.entries()) {
    if (keys.indexOf(key) !== index) refuseValue(context, "each key may be given once", [index]);
  }
}

export const RunMetadataKey = z
  .strictObject({
    key: example(z.string(), "order").describe("The key of `metadata`."),
    indexed_from: z.iso
      .datetime()
      .describe("Runs created from this time on are in the index, a minute after the key was named."),
  })
  .describe("A key of metadata by whose values runs are indexed.");

export const RunMetadataKeys = z
  .strictObject({
    keys: z.array(RunMetadataKey).describe("The keys, in the order in which they were given."),
  })
  .describe("The keys of metadata by whose values an organization's runs are indexed.");
export type RunMetadataKeys = z.infer<typeof RunMetadataKeys>;
