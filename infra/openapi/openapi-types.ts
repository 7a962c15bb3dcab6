import type { createDocument } from "zod-openapi";

/** Of operations, in the document's words. */
export const methods = ["get", "post", "put", "patch", "delete"] as const;

export type OpenApiDocument = ReturnType<typeof createDocument>;
