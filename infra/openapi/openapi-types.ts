import type { createDocument } from "zod-openapi";

export type OpenApiDocument = ReturnType<typeof createDocument>;
