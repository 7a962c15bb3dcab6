import * as z from "zod";

/** Checks only that it is an OpenAPI document. */
export const OpenApiDocument = z.looseObject({ openapi: z.literal("3.1.0") });
export const AsyncApiDocument = z.looseObject({ asyncapi: z.literal("3.0.0") });
