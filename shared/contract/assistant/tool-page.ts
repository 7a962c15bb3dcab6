import * as z from "zod";
import { Uuid } from "../fields/common.ts";

/** A model reads every item, so that pages are shorter than the API's. */
export const pageOfTool = {
  limit: z.int().min(1).max(100).default(25).describe("Largest number of items."),
  after: Uuid.optional().describe("The id of the last item of the page before."),
};
