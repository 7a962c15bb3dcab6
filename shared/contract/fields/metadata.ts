import * as z from "zod";
import {
  metadataKeyCharactersMax,
  metadataPairsMax,
  metadataValueCharactersMax,
} from "../../vocabulary/metadata.ts";
import { example } from "./example.ts";
import { requireItemsMax } from "./parameters.ts";
import { name } from "./text.ts";

export const MetadataKey = z
  .string()
  .regex(
    new RegExp(`^[A-Za-z0-9_.-]{1,${metadataKeyCharactersMax}}$`),
    `String should have 1 to ${metadataKeyCharactersMax} letters, digits, _, . and -`,
  );

const MetadataValue = name(0, metadataValueCharactersMax);

const pairValue = { type: "string", maxLength: metadataValueCharactersMax };

/** A change may remove all pairs and add as many. */
const changedPairsMax = 2 * metadataPairsMax;

const bounds = `At most ${metadataPairsMax} pairs; a key has 1 to ${metadataKeyCharactersMax} letters, digits, _, . and -, a value at most ${metadataValueCharactersMax} characters without control characters.`;

const NewMetadata = z
  .record(MetadataKey, MetadataValue)
  .superRefine(requireItemsMax(metadataPairsMax))
  .meta({ maxProperties: metadataPairsMax });

/** Getters create the schemas only where they are spread, so functions without metadata create none. */
export const metadataFields = {
  get created() {
    return NewMetadata.optional().describe(
      `The caller's own pairs of strings, which lists filter by. ${bounds}`,
    );
  },
  get changed() {
    return z
      .record(MetadataKey, MetadataValue.nullable())
      .superRefine(requireItemsMax(changedPairsMax))
      .meta({ maxProperties: changedPairsMax })
      .nullable()
      .optional()
      .describe(
        `Pairs to set, beside those that are there: a key with null is removed, and null in place of the object removes all pairs. ${bounds}`,
      );
  },
  get answered() {
    return example(z.record(z.string(), z.string()), { order: "2026-0417" }).describe(
      "The caller's own pairs of strings; empty if there are none.",
    );
  },
  get query() {
    return NewMetadata.optional()
      .meta({ wire: { type: "object", maxProperties: metadataPairsMax, additionalProperties: pairValue } })
      .describe(
        "Only items with these pairs in their `metadata` are listed, written as `metadata[key]=value`: the whole value, as it is written.",
      );
  },
};
