import * as z from "zod";

/** Only what tells the documents apart from anything else. */
export const OpenApiDocument = z.looseObject({ openapi: z.literal("3.1.0") });
export const AsyncApiDocument = z.looseObject({ asyncapi: z.literal("3.0.0") });
