import * as z from "zod";

/** A file that a function ships is the same for everybody. */
export const shipped = { access: "public", method: "GET" } as const;

export const shippedHeaders = {
  ETag: { description: "Changes with the content; send it back as `If-None-Match` for a 304." },
  "Cache-Control": { description: "The time for which the response may be cached." },
} as const;

/** A script or style of a page, or what the page's search reads. */
export const shippedAsset = {
  ...shipped,
  description: "The name changes with the content, so that the file is cached for a year. Public.",
  pathParameters: z.strictObject({
    file: z.string().describe("The name of the file, as the page has it."),
  }),
  refusals: { 404: "There is no such file in this release." },
} as const;

/** @param unchanged is the description of a 304 in the operation's section. */
export function assetResponses<Unchanged extends object>(unchanged: Unchanged) {
  return {
    200: { description: "The file.", contentType: "text/javascript", headers: shippedHeaders },
    304: unchanged,
  } as const;
}
